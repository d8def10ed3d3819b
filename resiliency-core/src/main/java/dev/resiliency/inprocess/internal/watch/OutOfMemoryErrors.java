package dev.resiliency.inprocess.internal.watch;

import dev.resiliency.inprocess.internal.log.SafeLog;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;

/**
 * Counts the {@link OutOfMemoryError}s that this JVM has thrown: a pool keeps the one of its task to itself, and the next collection
 * frees what that had filled the heap with. The JVM counts them, and says so only in its {@code VM.info}, which may take half a second
 * the first time. Confined to one thread at a time.
 */
public final class OutOfMemoryErrors {
    private static final Logger LOG = SafeLog.of(OutOfMemoryErrors.class);
    /** For each kind of memory, such as {@code OutOfMemoryError java_heap_errors=1}. */
    private static final Pattern COUNT = Pattern.compile("(?m)^OutOfMemoryError \\w+=(\\d{1,9})$");

    private final Supplier<String> info;
    private long known;

    OutOfMemoryErrors(Supplier<String> info) {
        this.info = info;
    }

    /** Creates a counter for this JVM, which begins with all that it has thrown. */
    public static OutOfMemoryErrors ofThisProcess() {
        return new OutOfMemoryErrors(OutOfMemoryErrors::vmInfo);
    }

    /** Returns how many were thrown since the last call. */
    public long more() {
        long now = 0;
        Matcher count = COUNT.matcher(info.get());
        while (count.find()) {
            now += Long.parseLong(count.group(1));
        }
        long more = Math.max(0, now - known);
        known = Math.max(now, known);
        return more;
    }

    /** Returns what the JVM says of itself; empty if it does not. */
    private static String vmInfo() {
        try {
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            return String.valueOf(ManagementFactory.getPlatformMBeanServer().invoke(commands, "vmInfo", null, null));
        } catch (JMException | RuntimeException notThisJvm) {
            LOG.debug("the JVM does not say how many errors it has thrown", notThisJvm);
            return "";
        }
    }
}
