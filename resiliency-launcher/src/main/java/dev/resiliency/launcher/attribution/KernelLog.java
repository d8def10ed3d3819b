package dev.resiliency.launcher.attribution;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads records of the kernel's log, as {@code /dev/kmsg} has them: {@code 4,1187,93021,-;text}. Other programs may write there, too: a
 * number that is none of a record, an error or a process is skipped.
 */
final class KernelLog {
    private static final Pattern RECORD = Pattern.compile("\\d+,\\d+,(\\d{1,18}),[^;]*;(.*)");
    private static final Pattern NOTABLE = Pattern.compile(
            ".*(Out of memory|oom-kill|Memory cgroup out of memory|NVRM: Xid|segfault at|general protection|traps: |"
                    + "Hardware Error|EXT4-fs error|I/O error|nfs: server .* not responding|LustreError).*");
    private static final Pattern XID = Pattern.compile(".*NVRM: Xid \\([^)]*\\): (\\d{1,9}),.*");
    private static final Pattern KILLED = Pattern.compile(".*[Oo]ut of memory: Killed process (\\d{1,18}) .*");

    private KernelLog() {}

    /** A record. */
    record Line(Duration sinceBoot, String text) {}

    /** Reads records, a device one by one and a pipe perhaps several, without the lines that name the device of one. */
    static List<Line> parse(String records) {
        return records.lines()
                .map(RECORD::matcher)
                .filter(Matcher::matches)
                .map(record ->
                        new Line(Duration.of(Long.parseLong(record.group(1)), ChronoUnit.MICROS), record.group(2)))
                .toList();
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
