package dev.resiliency.state.internal;

import dev.resiliency.store.spi.Descriptors;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transfers a small state within this process, once. In production, every transfer is the first of its process: it would
 * load the classes of sockets and cryptography, and run interpreted code, while all ranks wait.
 *
 * <p>Thread: {@code resiliency-state-rehearsal}, which ends with it.
 */
final class TransferRehearsal {
    /** The JVM compiles what has run 200 times. */
    private static final int CHUNKS_OF_EACH_KIND = 250;

    private static final int CHUNK_BYTES = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(TransferRehearsal.class);

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private TransferRehearsal() {}

    /** Begins on a thread of its own, unless this process has done so before. */
    static void begin() {
        if (!BEGUN.getAndSet(true)) {
            Thread thread = new Thread(TransferRehearsal::runQuietly, "resiliency-state-rehearsal");
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (OutOfMemoryError noThread) {
                LOG.debug("no rehearsal of a transfer: the first one is slower", noThread);
            }
        }
    }

    private static void runQuietly() {
        try {
            if (!run()) {
                LOG.debug("The rehearsal of a transfer has received nothing");
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            LOG.debug("The rehearsal of a transfer has failed: the first transfer is slower", e);
        }
    }

    /** Returns whether the state has arrived as it was sent. */
    static boolean run() throws IOException, InterruptedException {
        Chunks sent = chunks();
        Chunks received = chunks();
        Copied name = new Copied(new Part("rehearsal", List.of()), Version.NONE);
        Served served = new Served();
        try (Connections ofSender = new Connections(0);
                Connections ofReceiver = new Connections(0)) {
            Peer sender = ChunkServer.start(
                    0, InetAddress.getLoopbackAddress(), null, false, served, ofSender, Descriptors.ofThisProcess());
            sent.hold();
            served.put(name, sent);
            Sources sources = new Sources(1, List.of(sender));
            return new Download(name, received, sources, Pace.unlimited(), null, ofReceiver).run()
                    && Digest.of(0, 0, received).equals(Digest.of(0, 0, sent));
        }
    }

    /** Returns a state in an array and in direct memory; its chunks share them, so it takes no space. */
    private static Chunks chunks() {
        Region array = ArrayRegion.floats("array", CHUNK_BYTES / Float.BYTES);
        Region memory = new MemoryRegion("memory", Region.ElementType.MEMORY, ByteBuffer.allocateDirect(CHUNK_BYTES));
        List<Region> regions = new ArrayList<>(Collections.nCopies(CHUNKS_OF_EACH_KIND, array));
        regions.addAll(Collections.nCopies(CHUNKS_OF_EACH_KIND, memory));
        return new Chunks(regions);
    }
}
