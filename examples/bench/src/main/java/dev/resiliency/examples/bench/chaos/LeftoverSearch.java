package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what a wrapper left behind in its process: threads, child processes, sockets. */
final class LeftoverSearch {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 20;

    private final Set<String> socketsBefore;

    /** Must be created before the wrapper is used. */
    LeftoverSearch() throws IOException {
        new ServerSocket(0).close(); // the first one makes the JDK open a socket of its own permanently
        socketsBefore = sockets();
    }

    /** Returns what is left after some seconds. */
    List<String> await() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> left = look();
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(LOOK_MILLIS);
            left = look();
        }
        return left;
    }

    private List<String> look() throws IOException {
        List<String> left = new ArrayList<>();
        Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("resiliency"))
                .forEach(name -> left.add("thread " + name));
        ProcessHandle.current().children().forEach(child -> left.add("process " + child.pid()));
        Set<String> sockets = sockets();
        sockets.removeAll(socketsBefore);
        left.addAll(sockets);
        return left;
    }

    /** Returns the names of the sockets that this process has open. */
    private static Set<String> sockets() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.flatMap(LeftoverSearch::target)
                    .filter(target -> target.startsWith("socket:"))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Stream<String> target(Path link) {
        try {
            return Stream.of(Files.readSymbolicLink(link).toString());
        } catch (IOException closed) {
            return Stream.empty();
        }
    }
}
