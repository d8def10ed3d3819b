package dev.resiliency.examples.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Starts {@code resiliency store} for agents: a store of its own, which outlives each of them. */
public final class StoreProcess {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CONNECT_MILLIS = 1000;

    private StoreProcess() {}

    /** Starts a store, and waits until it is there: an agent that has its address would host it otherwise. */
    public static ResiliencyProcess start(int port, Path directory) throws IOException, InterruptedException {
        return start(List.of(), port, directory);
    }

    /**
     * Starts a store as {@link #start(int, Path)} does.
     *
     * @param prefix what stands before its command, such as a program that limits it
     */
    public static ResiliencyProcess start(List<String> prefix, int port, Path directory)
            throws IOException, InterruptedException {
        ResiliencyProcess store = ResiliencyProcess.start(
                prefix, "store", directory, List.of("store", "--port", "" + port, "--max-total-bytes", "16000000"));
        store.follow(line -> {}, line -> {}, exitCode -> {});
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!listens(port)) {
            if (!store.isAlive() || System.nanoTime() - deadline > 0) {
                store.close();
                throw new IOException("the store has not started: see " + store.log());
            }
            Thread.sleep(50);
        }
        return store;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }
}
