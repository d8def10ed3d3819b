package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.launcher.log.CycleLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.store.tcp.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A job whose log server and nodes are in the process of the test, over real connections. */
abstract class ServedJob {
    static final Duration LIMIT = Duration.ofSeconds(60);
    static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef".getBytes(UTF_8));

    @TempDir
    Path directory;

    final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
    /** The same for each server of a test. */
    int port;

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    LogServer serve(@Nullable Secret secret) throws IOException {
        LogServer server = LogServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                "job",
                merged(),
                secret,
                null,
                complaints::add);
        port = server.port();
        opened.add(server);
        return server;
    }

    LogFiles merged() {
        return LogFiles.of(directory.resolve("train"));
    }

    /** Returns the lines of all nodes. */
    List<String> lines(int cycle) throws IOException {
        Path file = merged().ofCycle(cycle);
        // Strangers may have sent what is no text.
        return Files.exists(file)
                ? new String(Files.readAllBytes(file), UTF_8).lines().toList()
                : List.of();
    }

    List<String> linesOf(String node, int cycle) throws IOException {
        return lines(cycle).stream().filter(line -> line.startsWith(node + ":")).toList();
    }

    /** A node with its log files. */
    final class Node implements AutoCloseable {
        final String name;
        final CycleLog log;
        final LogClient client;

        Node(String name, String local, String job, @Nullable Secret secret) throws IOException {
            this.name = name;
            LogFiles files = merged().in(Files.createDirectories(directory.resolve(local)));
            log = new CycleLog(cycle -> files.ofNode(cycle, name), complaints::add);
            client = new LogClient(
                    cycle -> files.ofNode(cycle, name),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    name,
                    job,
                    secret,
                    null,
                    complaints::add);
            log.addListener(client);
            log.enter(0, 1);
            opened.add(this);
        }

        Node(String name, @Nullable Secret secret) throws IOException {
            this(name, "local", "job", secret);
        }

        void write(int from, int to) {
            IntStream.rangeClosed(from, to).forEach(i -> log.add(name + " line " + i));
        }

        @Override
        public void close() {
            opened.remove(this);
            log.close();
            client.close();
        }
    }
}
