package dev.resiliency.launcher.process;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Receives the signals that ask a process to end, instead of ending it, until it is closed. Uses the JDK's {@code
 * sun.misc.Signal} by reflection, as the compiler warns about that class, although its module exports it.
 */
public final class StopSignals implements AutoCloseable {
    private static final List<String> NAMES = List.of("HUP", "INT", "TERM");

    private final Map<Object, Object> handlersBefore = new LinkedHashMap<>();

    private StopSignals() {}

    /**
     * Begins to receive them. A signal that this process has ignored since its start, as under {@code nohup}, stays ignored.
     *
     * @param receiver called with each name without {@code SIG}, on a thread of the JVM
     * @throws UnsupportedOperationException if this JVM cannot, as with {@code -Xrs}; says why
     */
    public static StopSignals receive(Consumer<String> receiver) {
        StopSignals signals = new StopSignals();
        try {
            for (String name : NAMES) {
                signals.install(name, receiver);
            }
        } catch (ReflectiveOperationException e) {
            signals.close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new UnsupportedOperationException("this JVM cannot handle signals: " + cause.getMessage(), e);
        }
        return signals;
    }

    /**
     * Begins to receive them, if this JVM can.
     *
     * @param log receives why it cannot
     */
    public static StopSignals receiveIfPossible(Consumer<String> receiver, Consumer<String> log) {
        try {
            return receive(receiver);
        } catch (UnsupportedOperationException e) {
            log.accept(e.getMessage() + ": signals end this process and what it runs at once");
            return new StopSignals(); // receives none, and so has none to give back
        }
    }

    private void install(String name, Consumer<String> receiver) throws ReflectiveOperationException {
        Object signal = type().getConstructor(String.class).newInstance(name);
        Object handler = Proxy.newProxyInstance(
                StopSignals.class.getClassLoader(), new Class<?>[] {handlerType()}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "toString" -> "handler of SIG" + name;
                        default -> {
                            receiver.accept(name);
                            yield null;
                        }
                    };
                });
        handlersBefore.put(signal, handle(signal, handler));
    }

    private static Object handle(Object signal, Object handler) throws ReflectiveOperationException {
        Method handle = type().getMethod("handle", type(), handlerType());
        return handle.invoke(null, signal, handler);
    }

    private static Class<?> type() throws ClassNotFoundException {
        return Class.forName("sun.misc.Signal");
    }

    private static Class<?> handlerType() throws ClassNotFoundException {
        return Class.forName("sun.misc.SignalHandler");
    }

    /** Handles the signals as before. */
    @Override
    public void close() {
        handlersBefore.forEach((signal, handler) -> {
            try {
                handle(signal, handler);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }
}
