package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.Descriptors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transfers between ranks of this JVM, over real sockets. */
@Timeout(60)
class TransferTest {
    private static final int FLOATS = 700_001; // the last chunk is not full
    private static final Copied NAME = new Copied(new Part("replicated", List.of()), new Version(0, 0, 1));
    private static final Duration LIMIT = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private final List<Connections> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Connections::close);
    }

    private Connections connections(int rank) {
        Connections connections = new Connections(rank);
        open.add(connections);
        return connections;
    }

    private static List<Region> empty() {
        return List.of(
                ArrayRegion.floats("floats", FLOATS),
                ArrayRegion.doubles("doubles", 3),
                ArrayRegion.longs("longs", 0),
                new MemoryRegion("memory", Region.ElementType.MEMORY, ByteBuffer.allocateDirect(600_000)));
    }

    private static List<Region> filled() {
        List<Region> regions = empty();
        Random random = new Random(5);
        FloatBuffer floats = (FloatBuffer) regions.get(0).handle();
        while (floats.hasRemaining()) {
            floats.put(random.nextFloat());
        }
        byte[] bytes = new byte[600_000];
        random.nextBytes(bytes);
        ((ByteBuffer) regions.get(3).handle()).put(bytes);
        return regions;
    }

    private static void assertSame(List<Region> actual, List<Region> expected) {
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i).handle()).isEqualTo(expected.get(i).handle());
        }
    }

    private static Chunks held(List<Region> regions) {
        Chunks chunks = new Chunks(regions);
        chunks.hold();
        return chunks;
    }

    private Peer serve(int rank, Chunks chunks) throws IOException {
        return serve(rank, chunks, null, connections(rank));
    }

    private static Peer serve(int rank, Chunks chunks, @Nullable SecretKey secret, Connections connections)
            throws IOException {
        return serve(rank, chunks, secret, false, connections);
    }

    private static Peer serve(
            int rank, Chunks chunks, @Nullable SecretKey secret, boolean encrypts, Connections connections)
            throws IOException {
        Served served = new Served();
        served.put(NAME, chunks);
        return ChunkServer.start(
                rank, InetAddress.getLoopbackAddress(), secret, encrypts, served, connections, Descriptors.of(1 << 20));
    }

    private Download download(Chunks into, int atOnce, Peer... sources) {
        return download(into, new Sources(atOnce, List.of(sources)), null, connections(99));
    }

    private static Download download(
            Chunks into, Sources sources, @Nullable SecretKey secret, Connections connections) {
        return new Download(NAME, into, sources, Pace.unlimited(), secret, connections);
    }

    @Test
    void stateOfAllKindsOfBuffersArrivesAsItWasSent() throws Exception {
        List<Region> sent = filled();
        List<Region> received = empty();
        Chunks chunks = new Chunks(received);
        Download download = download(chunks, 1, serve(4, held(sent)));

        assertThat(download.run()).isTrue();

        assertSame(received, sent);
        assertThat(download.senders()).isEqualTo(IndexSet.of(4));
        Chunks original = held(sent);
        for (int chunk = 0; chunk < original.count(); chunk++) {
            original.compute(chunk, Chunks.newStaging());
        }
        assertThat(Digest.of(0, 1, chunks))
                .isEqualTo(Digest.of(0, 1, original))
                .isNotEqualTo(Digest.of(0, 2, original));
    }

    @Test
    void mappedFileIsReceivedInPlace() throws Exception {
        Path file = directory.resolve("state");
        List<Region> received;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            received = List.of(new MemoryRegion(
                    "mapped", Region.ElementType.MEMORY, channel.map(FileChannel.MapMode.READ_WRITE, 0, 600_000)));
        }
        List<Region> sent = List.of(filled().get(3));

        assertThat(download(new Chunks(received), 1, serve(0, held(sent))).run())
                .isTrue();

        assertThat(received.get(0).handle()).isEqualTo(sent.get(0).handle());
    }

    @Test
    void severalSourcesSendAtOnce() throws Exception {
        List<Region> sent = filled();
        List<Region> received = empty();
        Download download =
                download(new Chunks(received), 3, serve(0, held(sent)), serve(1, held(sent)), serve(2, held(sent)));

        assertThat(download.run()).isTrue();

        assertSame(received, sent);
    }

    @Test
    void receiverServesWhatItHasBeforeItHasAll() throws Exception {
        List<Region> sent = filled();
        Chunks halfWay = new Chunks(empty());
        Chunks last = new Chunks(empty());
        Peer relay = serve(1, halfWay);
        PeerChannel channel = connected(relay, relay.token());

        Chunks source = held(sent);
        ByteBuffer staging = Chunks.newStaging();
        source.compute(2, staging);
        ByteBuffer target = halfWay.target(2, Chunks.newStaging());
        target.put(source.read(2, staging)).flip();
        halfWay.received(2, target, source.checksum(2));
        channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(2).flip());

        assertThat(channel.read(Long.BYTES).getLong()).isEqualTo(source.checksum(2));
        assertThat(channel.read(halfWay.length(2))).isEqualTo(source.read(2, staging));
        assertThat(last.checksum(2)).isNegative();
    }

    private PeerChannel connected(Peer peer, String token) throws IOException {
        PeerChannel channel = connections(50).add(PeerChannel.of(SocketChannel.open(), LIMIT));
        channel.connect(new InetSocketAddress(peer.host(), peer.port()));
        new PeerSecret(null, token).proveAsClient(channel);
        byte[] name = NAME.encode().getBytes(UTF_8);
        channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip(), ByteBuffer.wrap(name));
        return channel;
    }

    @Test
    void chainOfReceiversPassesTheStateOnWhileItArrives() throws Exception {
        List<Region> sent = filled();
        List<Region> last = empty();
        Chunks first = new Chunks(empty());
        Chunks second = new Chunks(last);
        Peer relay = serve(1, first);
        CompletableFuture<Boolean> atTheEnd = CompletableFuture.supplyAsync(() -> runs(download(second, 1, relay)));

        assertThat(download(first, 1, serve(0, held(sent))).run()).isTrue();

        assertThat(atTheEnd.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertSame(last, sent);
    }

    private static boolean runs(Download download) {
        try {
            return download.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void silentConnectionsOfStrangersKeepNobodyFromTheState() throws Exception {
        List<Region> sent = filled();
        List<Region> received = empty();
        Peer source = serve(0, held(sent));
        List<SocketChannel> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                strangers.add(SocketChannel.open(new InetSocketAddress(source.host(), source.port())));
            }

            assertThat(download(new Chunks(received), 1, source).run()).isTrue();

            assertSame(received, sent);
        } finally {
            for (SocketChannel stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void strangerThatSendsAByteNowAndThenHasNoMoreTimeThanASilentOne() throws Exception {
        Peer source = serve(0, held(filled()));
        try (SocketChannel stranger = SocketChannel.open(new InetSocketAddress(source.host(), source.port()));
                SocketChannel silent = SocketChannel.open(new InetSocketAddress(source.host(), source.port()))) {
            CompletableFuture<Boolean> isClosed = CompletableFuture.supplyAsync(() -> isClosed(silent));
            byte[] preface = {'R', 'S', 'L', 'S', 1};
            assertThatThrownBy(() -> {
                        for (int at = 0; at < preface.length + 32; at++) {
                            stranger.write(ByteBuffer.wrap(new byte[] {at < preface.length ? preface[at] : 0}));
                            Thread.sleep(400);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(isClosed.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean isClosed(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void receiverThatIsRefusedTriesAgain() throws Exception {
        List<Region> sent = filled();
        List<Region> received = empty();
        Peer source = serve(0, held(sent));
        try (ServerSocketChannel busy = ServerSocketChannel.open()) {
            busy.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = busy.socket().getLocalPort();
            Peer seen = new Peer(source.rank(), source.host(), port, source.token(), source.fingerprint());
            CompletableFuture<Boolean> done =
                    CompletableFuture.supplyAsync(() -> runs(download(new Chunks(received), 1, seen)));
            for (int refusals = 0; refusals < 6; refusals++) {
                busy.accept().close();
            }
            try (SocketChannel client = busy.accept();
                    SocketChannel server = SocketChannel.open(new InetSocketAddress(source.host(), source.port()))) {
                Thread requests = new Thread(() -> pass(client, server), "requests");
                requests.setDaemon(true);
                requests.start();
                Thread answers = new Thread(() -> pass(server, client), "answers");
                answers.setDaemon(true);
                answers.start();

                assertThat(done.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
        }
        assertSame(received, sent);
    }

    private static void pass(SocketChannel from, SocketChannel to) {
        try {
            from.socket().getInputStream().transferTo(to.socket().getOutputStream());
        } catch (IOException over) {
            // both ends have what they want
        }
    }

    @Test
    void sourceThatDiesIsReplaced() throws Exception {
        List<Region> sent = filled();
        List<Region> received = empty();
        Chunks two = new Chunks(sent); // serves these two chunks, and then dies
        two.compute(0, Chunks.newStaging());
        two.compute(1, Chunks.newStaging());
        Connections dying = connections(0);
        Peer source = serve(0, two, null, dying);
        Chunks chunks = new Chunks(received);
        Download download = download(chunks, 1, source, serve(1, held(sent)));
        CompletableFuture<Boolean> done = CompletableFuture.supplyAsync(() -> runs(download));
        assertThat(chunks.await(1, LIMIT)).isTrue();

        dying.close();

        assertThat(done.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertSame(received, sent);
        assertThat(download.senders()).isEqualTo(IndexSet.of(0, 1));
    }

    @Test
    void damagedChunkIsFetchedFromAnotherSource() throws Exception {
        List<Region> sent = filled();
        List<Region> changing = filled();
        Chunks damaged = held(changing);
        damaged.compute(1, Chunks.newStaging());
        ((FloatBuffer) changing.get(0).handle()).put(Chunks.BYTES / Float.BYTES, 0.5f); // after its checksum
        List<Region> received = empty();
        Download download = download(new Chunks(received), 1, serve(0, damaged), serve(1, held(sent)));

        assertThat(download.run()).isTrue();

        assertSame(received, sent);
        assertThat(download.failures()).contains("rank 0").contains("chunk 1 was damaged");
    }

    @Test
    void withoutALivingSourceTheTransferFailsAndSaysWhy() throws Exception {
        Connections dead = connections(0);
        Peer source = serve(3, held(filled()), null, dead);
        dead.close();
        Download download = download(new Chunks(empty()), 1, source);

        assertThat(download.run()).isFalse();

        assertThat(download.failures()).contains("rank 3 at 127.0.0.1").contains("refused");
    }

    @Test
    void strangerIsRefusedAndAStrangeServerIsNotBelieved() throws Exception {
        SecretKey secret = new SecretKeySpec(new byte[32], "HmacSHA256");
        Peer peer = serve(0, held(filled()), secret, connections(0));

        assertThatThrownBy(() -> connected(peer, peer.token())) // knows the token, but not the secret
                .isInstanceOf(IOException.class);
        Peer open = serve(1, held(filled()));
        assertThatThrownBy(() -> connected(open, "another token")).isInstanceOf(IOException.class);
        assertThat(download(new Chunks(empty()), new Sources(1, List.of(peer)), secret, connections(7))
                        .run())
                .isTrue();
    }

    @Test
    void encryptedTransferArrivesAsItWasSent() throws Exception {
        List<Region> sent = filled();
        List<Region> received = empty();
        SecretKey secret = new SecretKeySpec(new byte[32], "HmacSHA256");
        Peer one = serve(0, held(sent), secret, true, connections(0));
        Peer other = serve(1, held(sent), secret, true, connections(1));

        assertThat(download(new Chunks(received), new Sources(2, List.of(one, other)), secret, connections(7))
                        .run())
                .isTrue();

        assertSame(received, sent);
        assertThat(one.fingerprint()).hasSize(64).isNotEqualTo(other.fingerprint());
    }

    @Test
    void serverWithAnotherCertificateThanTheStoreSaysReceivesNoProof() throws Exception {
        Peer server = serve(0, held(filled()), null, true, connections(0));
        Peer impostor = new Peer(
                0,
                server.host(),
                server.port(),
                server.token(),
                PeerCertificate.create().fingerprint());
        Download download = download(new Chunks(empty()), 1, impostor);

        assertThat(download.run()).isFalse();

        assertThat(download.failures()).contains("another certificate than the store says");
    }

    @Test
    void clientThatDoesNotEncryptIsRefused() throws Exception {
        Peer server = serve(0, held(filled()), null, true, connections(0));

        assertThatThrownBy(() -> connected(server, server.token())).isInstanceOf(IOException.class);
    }

    @Test
    void transferEndsAtOnceWhenItsConnectionsAreClosed() throws Exception {
        Chunks nothing = new Chunks(filled()); // serves no chunk
        Connections own = connections(1);
        Download download = download(new Chunks(empty()), new Sources(1, List.of(serve(0, nothing))), null, own);
        CompletableFuture<Boolean> done = CompletableFuture.supplyAsync(() -> runs(download));

        own.close();

        assertThat(done.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isFalse();
    }
}
