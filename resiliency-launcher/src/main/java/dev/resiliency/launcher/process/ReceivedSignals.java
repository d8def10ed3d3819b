package dev.resiliency.launcher.process;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Receives signals that would else end this process, until it is closed: those that ask it to end, and those that schedulers
 * and programs use as they like. Uses the JDK's {@code sun.misc.Signal} by reflection, as the compiler warns about that class,
 * although its module exports it.
 */
public final class ReceivedSignals implements AutoCloseable {
    /** These ask a process to end. */
    private static final List<String> STOP = List.of("HUP", "INT", "TERM");

    /** What these mean is up to the program: Slurm announces a preemption by one, for instance. */
    private static final List<String> USER = List.of("USR1", "USR2");

    private final Map<Object, Object> handlersBefore = new LinkedHashMap<>();

    private ReceivedSignals() {}

    /**
     * Begins to receive them. A signal that this process has ignored since its start, as under {@code nohup}, stays ignored.
     *
     * @param stop called with the name without {@code SIG} of each that asks to end, on a thread of the JVM
     * @param user called with the name of each other one; never with one that this JVM uses itself, see {@link JvmSuspension}
     * @throws UnsupportedOperationException if this JVM cannot, as with {@code -Xrs}; says why
     */
    public static ReceivedSignals receive(Consumer<String> stop, Consumer<String> user) {
        ReceivedSignals signals = new ReceivedSignals();
        try {
            for (String name : STOP) {
                signals.install(name, stop);
            }
            for (String name : USER) {
                if (!JvmSuspension.uses(name, System.getenv())) {
                    signals.install(name, user);
                }
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
    public static ReceivedSignals receiveIfPossible(
            Consumer<String> stop, Consumer<String> user, Consumer<String> log) {
        try {
            return receive(stop, user);
        } catch (UnsupportedOperationException e) {
            log.accept(e.getMessage() + ": signals end this process and what it runs at once");
            return new ReceivedSignals(); // receives none, and so has none to give back
        }
    }

    private void install(String name, Consumer<String> receiver) throws ReflectiveOperationException {
        Object signal = type().getConstructor(String.class).newInstance(name);
        Object handler = Proxy.newProxyInstance(
                ReceivedSignals.class.getClassLoader(), new Class<?>[] {handlerType()}, (proxy, method, arguments) -> {
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
