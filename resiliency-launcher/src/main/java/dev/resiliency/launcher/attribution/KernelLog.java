package dev.resiliency.launcher.attribution;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads records of the kernel's log, as {@code /dev/kmsg} has them: {@code 4,1187,93021,-;text}. */
final class KernelLog {
    private static final Pattern RECORD = Pattern.compile("\\d+,\\d+,(\\d+),[^;]*;(.*)");
    private static final Pattern NOTABLE = Pattern.compile(
            ".*(Out of memory|oom-kill|Memory cgroup out of memory|NVRM: Xid|segfault at|general protection|traps: |"
                    + "Hardware Error|EXT4-fs error|I/O error|nfs: server .* not responding|LustreError).*");
    private static final Pattern XID = Pattern.compile(".*NVRM: Xid \\([^)]*\\): (\\d+),.*");
    private static final Pattern KILLED = Pattern.compile(".*[Oo]ut of memory: Killed process (\\d+) .*");

    private KernelLog() {}

    /** A record. */
    record Line(Duration sinceBoot, String text) {}

    /** Reads a record; null if it is none. */
    static @Nullable Line parse(String record) {
        String firstLine = record.lines().findFirst().orElse("");
        Matcher matcher = RECORD.matcher(firstLine);
        return matcher.matches()
                ? new Line(Duration.ofNanos(1000 * Long.parseLong(matcher.group(1))), matcher.group(2))
                : null;
    }

    /** Returns whether a line may explain why a process has ended. */
    static boolean isNotable(String line) {
        return NOTABLE.matcher(line).matches();
    }

    /** Returns the number of the first error that the driver of a GPU has reported; empty if there is none. */
    static OptionalInt xid(List<String> lines) {
        return lines.stream()
                .map(XID::matcher)
                .filter(Matcher::matches)
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .findFirst();
    }

    /** Returns whether the kernel has killed a process of this number as memory ran out. */
    static boolean hasKilled(List<String> lines, long pid) {
        return lines.stream()
                .map(KILLED::matcher)
                .anyMatch(killed -> killed.matches() && Long.parseLong(killed.group(1)) == pid);
    }
}
