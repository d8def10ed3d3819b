package dev.resiliency.inprocess.internal.log;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loggers that never throw: what an appender of the user throws, or a throwable that cannot be printed, costs a line at most. */
public final class SafeLog {
    private SafeLog() {}

    /** Returns the logger of a class. */
    public static Logger of(Class<?> type) {
        return of(LoggerFactory.getLogger(type));
    }

    /** Returns the logger of this name. */
    public static Logger of(String name) {
        return of(LoggerFactory.getLogger(name));
    }

    static Logger of(Logger logger) {
        return (Logger) Proxy.newProxyInstance(
                SafeLog.class.getClassLoader(),
                new Class<?>[] {Logger.class},
                (proxy, method, arguments) -> call(logger, method, arguments));
    }

    @SuppressWarnings("CatchingUnchecked") // of an appender
    private static @Nullable Object call(Logger logger, Method method, Object @Nullable [] arguments)
            throws IllegalAccessException {
        try {
            return method.invoke(logger, arguments == null ? null : printable(arguments));
        } catch (InvocationTargetException failed) {
            return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
        }
    }

    private static Object[] printable(Object[] arguments) {
        Object[] all = arguments.clone();
        for (int i = 0; i < all.length; i++) {
            if (all[i] instanceof Throwable thrown) {
                all[i] = ThrownText.printable(thrown);
            } else if (all[i] instanceof Object[] more) {
                all[i] = printable(more);
            }
        }
        return all;
    }
}
