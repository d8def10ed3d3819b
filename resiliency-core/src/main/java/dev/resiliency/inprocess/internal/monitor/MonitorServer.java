package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.spi.RankMonitors;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Watches the ranks that ask for it over a Unix domain socket. As a rank has a connection of its own, its death ends that, as it
 * would break the pipe to a child.
 *
 * <p>Threads: {@code resiliency-monitors}, which waits for ranks, and a {@code resiliency-monitor} for each rank.
 */
public final class MonitorServer implements RankMonitors {
    /** How long the watch of a rank that has died may take at the end, to report that. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private static final List<String> NAMESPACES = List.of("pid", "mnt");

    private static final Logger LOG = SafeLog.of(MonitorServer.class);

    private final Path socket;
    private final ServerSocketChannel server;
    /** Each adds itself before it starts, by the one that waits for ranks, and removes itself at its end. */
    private final Set<Thread> sessions = ConcurrentHashMap.newKeySet();

    private final CountDownLatch closing = new CountDownLatch(1);

    private MonitorServer(Path socket, ServerSocketChannel server) {
        this.socket = socket;
        this.server = server;
    }

    /** See {@link RankMonitors#open}. */
    public static MonitorServer open(Path directory) throws IOException {
        Path socket = socketOf(directory);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        MonitorServer monitors = new MonitorServer(socket, channel);
        Thread waiting = new Thread(monitors::awaitRanks, "resiliency-monitors");
        waiting.setDaemon(true);
        waiting.start();
        return monitors;
    }

    /**
     * Returns the socket for the ranks of a directory, beside that. Its name is short, as the path of a socket must be; and another
     * one in a container with processes or files of its own, where the ids and paths that a rank gives would be those of others.
     *
     * @throws IOException if there is no directory for it, or others may put one there
     */
    public static Path socketOf(Path directory) throws IOException {
        Path path = directory.toAbsolutePath().normalize();
        Path above = path.resolveSibling("");
        if (!Files.isDirectory(above)) { // a rank in a container would create it there
            throw new NoSuchFileException(above.toString());
        }
        PrivateDirectory all = PrivateDirectory.open(above);
        StringBuilder whose = new StringBuilder(path.toString());
        for (String namespace : NAMESPACES) {
            try {
                whose.append(' ').append(Files.readSymbolicLink(Path.of("/proc/self/ns", namespace)));
            } catch (IOException e) { // not on Linux
                LOG.debug("no namespace: {}", e.toString());
            }
        }
        UUID hash = UUID.nameUUIDFromBytes(whose.toString().getBytes(UTF_8));
        return all.resolve("m" + Long.toHexString(hash.getMostSignificantBits()));
    }

    private void awaitRanks() {
        boolean isOpen = true;
        while (isOpen) {
            try {
                begin(server.accept());
            } catch (ClosedChannelException closed) {
                isOpen = false;
            } catch (IOException | OutOfMemoryError e) { // no descriptor or thread is left; the rank may find one later
                LOG.warn("a rank cannot be watched: {}", e.toString());
                isOpen = pause();
            }
        }
    }

    /** Waits a moment for others to give back what this process lacks; returns whether it is still open. */
    private boolean pause() {
        try {
            return !closing.await(PAUSE_AFTER_FAILURE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) { // nobody interrupts this thread
            return false;
        }
    }

    private void begin(SocketChannel channel) throws IOException {
        SocketStreams streams = SocketStreams.of(channel);
        Thread session = new Thread(() -> watch(streams), "resiliency-monitor");
        session.setDaemon(true);
        sessions.add(session);
        try {
            session.start();
        } catch (OutOfMemoryError refused) {
            sessions.remove(session);
            streams.close();
            throw refused;
        }
    }

    private void watch(SocketStreams streams) {
        try (streams;
                PrintStream rank = new PrintStream(streams.output(), true, UTF_8)) {
            new MonitorSession(streams.input(), rank, " as its agent").run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // this server is closed
        } finally {
            sessions.remove(Thread.currentThread());
        }
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            server.close();
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            LOG.debug("{} is left behind", socket, e);
        }
        try {
            long end = System.nanoTime() + LIMIT.toNanos();
            for (Thread session : sessions) {
                session.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sessions.forEach(Thread::interrupt);
    }
}
