package dev.resiliency.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a process of this host for good. Its id has a meaning until the host boots, and in one namespace, so not in another container.
 *
 * @param namespace the number of its namespace of process ids
 * @param ticks when it started: see {@link ProcessStatus}
 */
record ProcessMark(String boot, long namespace, long pid, long ticks) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern MARK = Pattern.compile("([0-9a-f-]{1,64})_(\\d{1,18})_(\\d{1,18})_(\\d{1,18})");

    /** Returns that of this process. */
    static ProcessMark ofThisProcess() throws IOException {
        Matcher namespace = NUMBER.matcher(Files.readSymbolicLink(NAMESPACE).toString());
        ProcessStatus self = ProcessStatus.of(ProcessHandle.current().pid())
                .orElseThrow(() -> new IOException("/proc does not show this process"));
        return new ProcessMark(
                Files.readString(BOOT).strip(),
                namespace.find() ? Long.parseLong(namespace.group()) : 0,
                self.pid(),
                self.startTicks());
    }

    /**
     * Returns the mark that {@link #toString} has written.
     *
     * @throws IllegalArgumentException if it has not
     */
    static ProcessMark parse(String text) {
        Matcher matcher = MARK.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        return new ProcessMark(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4)));
    }

    /**
     * Returns whether the process has ended; false if that cannot be known, as of one in another container.
     *
     * @param here a process that asks
     */
    boolean hasEnded(ProcessMark here) {
        return !boot.equals(here.boot) || (namespace == here.namespace && !ProcessStatus.isAlive(pid, ticks));
    }

    /** Returns a text that may be the name of a file. */
    @Override
    public String toString() {
        return "%s_%d_%d_%d".formatted(boot, namespace, pid, ticks);
    }
}
