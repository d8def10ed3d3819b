package dev.resiliency.inprocess.internal.signal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A signal of this process. Uses the JDK's {@code sun.misc.Signal} by reflection, as the compiler warns about that
 * class, although its module, {@code jdk.unsupported}, exports it.
 */
public final class JvmSignal {
    private static final String PREFIX = "SIG";

    private final String name;
    private final Object signal;

    private JvmSignal(String name, Object signal) {
        this.name = name;
        this.signal = signal;
    }

    /**
     * Returns the signal of this name, with or without {@code SIG}.
     *
     * @throws IllegalArgumentException if the system knows no such signal
     * @throws UnsupportedOperationException if this JVM cannot handle signals, since it lacks the module
     */
    public static JvmSignal of(String name) {
        String plain = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
        return new JvmSignal(
                PREFIX + plain, call(() -> type().getConstructor(String.class).newInstance(plain)));
    }

    /** Returns its name, such as {@code SIGTERM}. */
    public String name() {
        return name;
    }

    /** Returns its number. */
    public int number() {
        return (int) call(() -> type().getMethod("getNumber").invoke(signal));
    }

    /** Returns the handler that calls the action on a thread of its own, for each signal. */
    public static Object handler(Runnable action) {
        return call(() -> Proxy.newProxyInstance(
                JvmSignal.class.getClassLoader(), new Class<?>[] {handlerType()}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return ofObject(action, proxy, method, arguments);
                    }
                    action.run();
                    return null;
                }));
    }

    private static Object ofObject(Runnable action, Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "handler of " + action;
        };
    }

    /** Returns the handler that ignores a signal. */
    public static Object ignored() {
        return call(() -> handlerType().getField("SIG_IGN").get(null));
    }

    /**
     * Installs a handler; returns the one before. Has no effect on SIGHUP, SIGINT and SIGTERM if the process ignores
     * them since its start: then the handler before is {@link #ignored()}.
     *
     * @throws IllegalArgumentException if the JVM uses the signal itself
     */
    public Object install(Object handler) {
        return call(() -> type().getMethod("handle", type(), handlerType()).invoke(null, signal, handler));
    }

    private static Class<?> type() throws ClassNotFoundException {
        return Class.forName("sun.misc.Signal");
    }

    private static Class<?> handlerType() throws ClassNotFoundException {
        return Class.forName("sun.misc.SignalHandler");
    }

    /** A reflective call. */
    private interface Call {
        Object make() throws ReflectiveOperationException;
    }

    private static Object call(Call call) {
        try {
            return call.make();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new UnsupportedOperationException(String.valueOf(e.getCause()), e);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException(
                    "this JVM cannot handle signals, as it lacks the module jdk.unsupported", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
