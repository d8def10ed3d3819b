package dev.resiliency.inprocess.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/** Warns once per process, on stderr, if nothing is logged because SLF4J has found no provider. */
final class SilentLog {
    private static final String WARNING = "WARNING: resiliency logs restarts and their causes through SLF4J, but no"
            + " provider was found, so nothing is logged. Add one to the class path, for example"
            + " ch.qos.logback:logback-classic; if this is intended, silence the warning with"
            + " -Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider";

    private static final AtomicBoolean CHECKED = new AtomicBoolean();

    private SilentLog() {}

    @SuppressWarnings("SystemOut") // there is no log
    static void warnOnce() {
        if (!CHECKED.getAndSet(true)
                && LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory
                && !isIntended()) {
            System.err.println(WARNING);
        }
    }

    private static boolean isIntended() {
        return System.getProperty(LoggerFactory.PROVIDER_PROPERTY_KEY) != null
                || isPresent("org.slf4j.nop.NOPServiceProvider");
    }

    private static boolean isPresent(String className) {
        try {
            Class.forName(className, false, SilentLog.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
