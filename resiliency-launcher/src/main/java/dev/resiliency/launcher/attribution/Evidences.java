package dev.resiliency.launcher.attribution;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds evidence in what a process has printed. Pure: names files, and opens none. */
final class Evidences {
    private static final int SHOWN_LINES = 20;
    private static final int LONGEST_LINE = 500;
    private static final String SAVED_AS = "An error report file with more information is saved as:";
    private static final Pattern DUMP = Pattern.compile("Dumping heap to (\\S+) \\.\\.\\.");
    private static final Pattern DUMPED = Pattern.compile("Heap dump file created .*");
    private static final Pattern ERROR_FILE = Pattern.compile("-XX:ErrorFile=(\\S+)");

    private Evidences() {}

    /**
     * Returns the evidence in the last lines of a process.
     *
     * @param directory in which it has run
     * @param pid by which files are named
     */
    static Evidence of(String directory, long pid, List<String> lines, long oomKills, List<String> kernel) {
        int from = Math.max(0, lines.size() - SHOWN_LINES);
        return new Evidence(
                Crash.parse(savedAs(lines).orElse(""), lines),
                Thrown.lastOf(lines),
                heapDump(directory, lines),
                oomKills,
                kernel,
                List.of(),
                null,
                Stacks.mainThread(lines),
                lines.subList(from, lines.size()).stream()
                        .map(line -> line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…")
                        .toList(),
                null,
                Stacks.activity(lines));
    }

    private static Optional<String> savedAs(List<String> lines) {
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).contains(SAVED_AS)) {
                return Optional.of(lines.get(i + 1).replaceFirst("^#\\s*", "").trim());
            }
        }
        return Optional.empty();
    }

    /** Returns the files in which a JVM may have described its crash, the likeliest first. */
    static List<Path> crashFiles(Path directory, long pid, List<String> lines, List<String> options) {
        List<Path> files = new ArrayList<>();
        savedAs(lines).map(directory::resolve).ifPresent(files::add);
        for (String option : options) {
            Matcher file = ERROR_FILE.matcher(option);
            while (file.find()) {
                files.add(directory.resolve(file.group(1).replace("%p", Long.toString(pid))));
            }
        }
        String name = "hs_err_pid" + pid + ".log";
        files.add(directory.resolve(name));
        files.add(Path.of("/tmp", name)); // where the JVM writes it if the directory is not writable
        return files;
    }

    private static @Nullable String heapDump(String directory, List<String> lines) {
        String dump = null;
        boolean isComplete = false;
        for (String line : lines) {
            Matcher begins = DUMP.matcher(line);
            if (begins.matches()) {
                dump = Path.of(directory).resolve(begins.group(1)).toString();
            }
            isComplete |= DUMPED.matcher(line).matches();
        }
        return isComplete ? dump : null;
    }
}
