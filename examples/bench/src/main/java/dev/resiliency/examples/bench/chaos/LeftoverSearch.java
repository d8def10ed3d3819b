package dev.resiliency.examples.bench.chaos;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Finds what a wrapper left behind in its process: threads, child processes, sockets. */
final class LeftoverSearch {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 20;

    private final List<String> socketsBefore;

    /** Must be created before the wrapper is used. */
    LeftoverSearch() throws IOException {
        new ServerSocket(0).close(); // the first one makes the JDK open a socket of its own permanently
        socketsBefore = sockets();
    }

    /** Returns what is left after some seconds. */
    List<String> await() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> left = look();
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(LOOK_MILLIS);
            left = look();
        }
        return left;
    }

    private List<String> look() {
        Stream<String> threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("resiliency"))
                .map(name -> "thread " + name);
        Stream<String> children = ProcessHandle.current().children().map(child -> "process " + child.pid());
        Stream<String> sockets = sockets().stream().filter(socket -> !socketsBefore.contains(socket));
        return Stream.of(threads, children, sockets).flatMap(each -> each).toList();
    }

    /** Returns the names of the sockets that this process has open. */
    private static List<String> sockets() {
        File[] open = Objects.requireNonNull(new File("/proc/self/fd").listFiles());
        return Stream.of(open)
                .map(LeftoverSearch::target)
                .filter(target -> target.startsWith("socket:"))
                .toList();
    }

    private static String target(File link) {
        try {
            return Files.readSymbolicLink(link.toPath()).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
