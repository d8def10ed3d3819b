package dev.resiliency.testing.it;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Finds what a wrapper must not leave behind in its process: threads, child processes, sockets, temporary files. */
final class Leftovers {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final List<String> socketsBefore;

    private Leftovers() throws IOException {
        // Closing the first socket makes the JDK open one of its own permanently.
        new ServerSocket(0).close();
        this.socketsBefore = sockets().toList();
    }

    /** Records the state before the wrapper is used. */
    static Leftovers before() throws IOException {
        return new Leftovers();
    }

    /** Returns what is left behind, except for what disappears within some seconds. */
    List<String> now() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> left = look();
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(20);
            left = look();
        }
        return left;
    }

    private List<String> look() {
        Stream<String> threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.matches("(resiliency|globalEventExecutor).*"));
        Stream<String> children = ProcessHandle.current().children().map(child -> "process " + child.pid());
        Stream<String> sockets = sockets().filter(socket -> !socketsBefore.contains(socket));
        Stream<String> files = filesIn(Path.of(System.getProperty("java.io.tmpdir")));
        return Stream.of(threads, children, sockets, files)
                .flatMap(each -> each)
                .toList();
    }

    /** Returns the files that a wrapper creates in the directory for temporary files. */
    static Stream<String> filesIn(Path directory) {
        return list(directory).map(Path::toString).filter(name -> name.contains("resiliency-"));
    }

    private static Stream<String> sockets() {
        return list(Path.of("/proc/self/fd")).map(Leftovers::target).filter(target -> target.startsWith("socket:"));
    }

    private static Stream<Path> list(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList().stream();
        } catch (IOException e) {
            return Stream.of(Path.of("unreadable: " + e));
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
