package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Looks for what a launched job has left behind: processes, files, keys. */
final class LaunchedRemains {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 100;
    /** What the chaos itself writes, and what a JVM says of its crash. */
    private static final String OWN_FILES = "run|checkpoint|orders-.*|.*\\.log";

    /** Where agents keep the times that they have learned, for the next run of the job. */
    private static final String KEPT = "times";

    private final LaunchedFleet fleet;
    private final LaunchedSettings settings;
    private final Path directory;

    LaunchedRemains(LaunchedFleet fleet, LaunchedSettings settings, Path directory) {
        this.fleet = fleet;
        this.settings = settings;
        this.directory = directory;
    }

    /** Returns what is still left after some seconds. */
    List<String> find() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> left = look();
        while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
            Thread.sleep(LOOK_MILLIS);
            left = look();
        }
        return left;
    }

    private List<String> look() throws IOException, InterruptedException {
        List<String> left = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> belongsToJob(process.pid()))
                .forEach(process -> left.add("process " + process.pid()));
        notes().stream()
                .filter(note -> !note.startsWith(fleet.runDirectory().resolve(KEPT)))
                .forEach(note -> left.add("file " + note));
        list(directory).stream()
                .filter(file -> !file.getFileName().toString().matches(OWN_FILES))
                .forEach(file -> left.add("file " + file));
        new KeyWatch(fleet.storePort(), "", settings.jobId()).remains().forEach(key -> left.add("key " + key));
        return left;
    }

    /** Returns the files of the agents; their directories stay. */
    private List<Path> notes() throws IOException {
        try (Stream<Path> all = Files.walk(fleet.runDirectory())) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** The processes of ranks, and their monitors, have the directory of the job on their command lines; the store has not. */
    private boolean belongsToJob(long pid) {
        try {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            return command.contains(ChaosRankCommand.class.getName()) && command.contains(directory.toString());
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<Path> list(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.toList();
        }
    }
}
