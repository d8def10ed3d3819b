package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Challenge;
import dev.resiliency.store.spi.Descriptors;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conversations with chunk servers in which something is wrong, by strangers and by members; another rank is served meanwhile. */
@Timeout(900)
class ChunkServerFuzzTest {
    private static final int CONVERSATIONS = Integer.getInteger("resiliency.conversations", 20);
    private static final int LEFT_OPEN = 40;
    private static final int BEGINNINGS = 2_000;
    private static final int MOST_NANOS_OF_A_BEGINNING = 400_000;
    private static final int SO_TIMEOUT_MILLIS = 20_000;
    private static final byte[] PREFACE = {'R', 'S', 'L', 'S', 1};
    private static final Copied NAME = new Copied(new Part("replicated", List.of()), new Version(0, 0, 1));

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Connections ofServers = new Connections(4711);
    private final List<Socket> leftOpen = new ArrayList<>();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @AfterEach
    void close() throws IOException {
        ofServers.close();
        for (Socket each : leftOpen) {
            each.close();
        }
    }

    private Peer serve(boolean encrypts) throws IOException {
        Served served = new Served();
        Chunks chunks = new Chunks(regions((byte) 7));
        chunks.hold();
        served.put(NAME, chunks);
        return ChunkServer.start(
                0, InetAddress.getLoopbackAddress(), null, encrypts, served, ofServers, Descriptors.of(1000));
    }

    private static List<Region> regions(byte filling) {
        ArrayRegion region = ArrayRegion.floats("floats", 70_000);
        FloatBuffer floats = (FloatBuffer) region.handle();
        while (floats.hasRemaining()) {
            floats.put(filling);
        }
        return List.of(region);
    }

    /** A recovery may be over before its server has begun. */
    @Test
    void serverMayBeClosedAtAnyMomentOfItsBeginning() throws Exception {
        for (int i = 0; i < BEGINNINGS; i++) {
            try (Connections connections = new Connections(i)) {
                ChunkServer.start(
                        0,
                        InetAddress.getLoopbackAddress(),
                        null,
                        false,
                        new Served(),
                        connections,
                        Descriptors.of(1000));
                long end = System.nanoTime() + random.nextInt(MOST_NANOS_OF_A_BEGINNING);
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void nothingThatIsSentKeepsAnotherRankFromTheState() throws Exception {
        Peer plain = serve(false);
        Peer encrypted = serve(true);
        CompletableFuture<Integer> healthy =
                CompletableFuture.supplyAsync(() -> downloadAgainAndAgain(plain, encrypted));
        for (int i = 0; i < CONVERSATIONS; i++) {
            assertThat(healthy).as("the other rank, seed %d", seed).isNotDone();
            converse(random.nextInt(5) == 0 ? encrypted : plain);
        }
        isOver.set(true);

        assertThat(healthy.get()).as("downloads, seed %d", seed).isPositive();
        for (Socket each : leftOpen) {
            each.close();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> serving() == 0);
    }

    private static long serving() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("resiliency-state-r4711-serve"))
                .count();
    }

    private int downloadAgainAndAgain(Peer... sources) {
        int downloads = 0;
        while (!isOver.get()) {
            Chunks received = new Chunks(regions((byte) 0));
            try (Connections own = new Connections(99)) {
                Sources from = new Sources(1, List.of(sources[downloads % sources.length]));
                Download download = new Download(NAME, received, from, Pace.unlimited(), null, own);
                assertThat(download.run()).as(download::failures).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            downloads++;
        }
        return downloads;
    }

    private void converse(Peer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(SO_TIMEOUT_MILLIS);
        try {
            if (!server.fingerprint().isEmpty() || random.nextInt(3) == 0) {
                socket.getOutputStream().write(mutated(stranger()));
            } else {
                speakAsMember(socket, server.token());
            }
        } catch (IOException closedByTheServer) {
            // as it should
        }
        if (random.nextInt(4) == 0) {
            leftOpen.add(socket);
            if (leftOpen.size() > LEFT_OPEN) {
                leftOpen.remove(0).close();
            }
        } else {
            socket.close();
        }
    }

    /** Returns what a stranger may send. */
    private byte[] stranger() {
        return switch (random.nextInt(4)) {
            case 0 -> new byte[0];
            case 1 -> concatenated(PREFACE, bytes(Challenge.NONCE_BYTES), bytes(32));
            case 2 -> concatenated(new byte[] {22, 3, 1, 0, (byte) random.nextInt()}, bytes(random.nextInt(300)));
            default -> bytes(random.nextInt(2000));
        };
    }

    /** Proves to be a member, and then asks for nonsense. */
    private void speakAsMember(Socket socket, String token) throws IOException {
        Value nonce = Challenge.newNonce();
        socket.getOutputStream().write(concatenated(PREFACE, nonce.bytes()));
        Value theirs = Value.of(socket.getInputStream().readNBytes(Challenge.NONCE_BYTES));
        byte[] proof = new Challenge(nonce, theirs, "live state " + token)
                .clientProof(new SecretKeySpec(token.getBytes(US_ASCII), "HmacSHA256"))
                .bytes();
        if (random.nextInt(10) == 0) {
            socket.getOutputStream().write(mutated(proof));
            endOutput(socket);
        } else {
            socket.getOutputStream().write(proof);
        }
        if (socket.getInputStream().readNBytes(32).length == 32) {
            socket.getOutputStream().write(random.nextInt(3) == 0 ? requests() : mutated(requests()));
            endOutput(socket);
            socket.getInputStream().readNBytes(random.nextInt(1000));
        }
    }

    /** Now and then lets the server wait for more, which it does until the limit. */
    private void endOutput(Socket socket) throws IOException {
        if (random.nextInt(30) > 0) {
            socket.shutdownOutput();
        }
    }

    private byte[] requests() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] name = NAME.encode().getBytes(UTF_8);
        out.writeInt(random.nextInt(20) == 0 ? random.nextInt() : name.length);
        out.write(name);
        for (int i = random.nextInt(20); i >= 0; i--) {
            out.writeInt(random.nextInt(20) == 0 ? random.nextInt() : 0);
        }
        return bytes.toByteArray();
    }

    private byte[] mutated(byte[] bytes) {
        byte[] changed = bytes.clone();
        for (int i = random.nextInt(4); i > 0 && changed.length > 0; i--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        return random.nextInt(3) == 0 ? Arrays.copyOf(changed, random.nextInt(changed.length + 20)) : changed;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] concatenated(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
