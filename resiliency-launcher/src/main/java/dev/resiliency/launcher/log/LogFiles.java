package dev.resiliency.launcher.log;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of a job's log files: {@code PREFIX_cycleN.log}, or for those that one node writes for a log server {@code
 * PREFIX_cycleN.NODE.log}.
 */
public final class LogFiles {
    private static final String SUFFIX = ".log";
    private static final Pattern CYCLE = Pattern.compile("_cycle(\\d{1,9})(\\.[^/]*)?\\.log$");

    private static final Pattern IN_FILE_NAME = Pattern.compile("[A-Za-z0-9._-]");

    private final Path directory;
    private final String name;

    private LogFiles(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    /**
     * Returns the names with this prefix, of which {@code .log} at the end counts for nothing: {@code /logs/train} and {@code
     * /logs/train.log} both give {@code /logs/train_cycle0.log}.
     *
     * @throws IllegalArgumentException if no file has such a name
     */
    public static LogFiles of(Path prefix) {
        Path absolute = prefix.toAbsolutePath().normalize();
        Path last = absolute.getFileName();
        Path parent = absolute.getParent();
        if (last == null || parent == null || prefix.toString().isEmpty() || Files.isDirectory(absolute)) {
            throw new IllegalArgumentException(
                    "per-cycle-applog-prefix is '%s': it must be a directory and the beginning of a file name, as in /logs/train"
                            .formatted(prefix));
        }
        String text = last.toString();
        return new LogFiles(parent, text.endsWith(SUFFIX) ? text.substring(0, text.length() - SUFFIX.length()) : text);
    }

    /** Returns files of the same names in another directory. */
    public LogFiles in(Path other) {
        return new LogFiles(other.toAbsolutePath(), name);
    }

    /** Creates the directory if it is missing. */
    public void createDirectory() throws IOException {
        Files.createDirectories(directory);
    }

    /** Returns the file of a cycle. */
    public Path ofCycle(int cycle) {
        return directory.resolve("%s_cycle%d%s".formatted(name, cycle, SUFFIX));
    }

    /** Returns the file of a cycle that one node writes. */
    public Path ofNode(int cycle, String node) {
        return directory.resolve("%s_cycle%d.%s%s".formatted(name, cycle, EncodedName.of(node, IN_FILE_NAME), SUFFIX));
    }

    /** Returns the file in which an attribution service keeps its own lines. */
    public Path ofAttribution() {
        return directory.resolve(name + "_attribution" + SUFFIX);
    }

    /** Returns where the files are. */
    public Path directory() {
        return directory;
    }

    /** Returns the latest cycle that has a file. */
    public OptionalInt latestCycle() throws IOException {
        int latest = -1;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, name + "_cycle*" + SUFFIX)) {
            for (Path file : files) {
                int cycle = cycleOf(file.toString()).orElse(-1);
                latest = Math.max(latest, Files.exists(ofCycle(cycle)) ? cycle : -1);
            }
        }
        return latest < 0 ? OptionalInt.empty() : OptionalInt.of(latest);
    }

    /** Returns the cycle that the name of a file contains; empty if it contains none. */
    public static Optional<Integer> cycleOf(String file) {
        Matcher matcher = CYCLE.matcher(file);
        return matcher.find() ? Optional.of(Integer.valueOf(matcher.group(1))) : Optional.empty();
    }

    @Override
    public String toString() {
        return directory.resolve(name) + "_cycleN" + SUFFIX;
    }
}
