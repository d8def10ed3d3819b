package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A healthy client with a lease beside one that asks too much, on a server as a user runs it. */
class NeighboursIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private @Nullable ServerProcess server;
    private int port;
    private @Nullable Tls tls;

    private void start(List<String> javaOptions, String... arguments) throws Exception {
        serve(ServerProcess.start(javaOptions, Map.of(), withAnyPort(arguments)));
    }

    private void serve(ServerProcess started) throws Exception {
        server = started;
        port = started.port();
    }

    private static String[] withAnyPort(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--port", "0"));
        return all.toArray(String[]::new);
    }

    @AfterEach
    void end() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    private TcpStore.Builder client() {
        return TcpStore.builder().port(port).tls(tls).connectTimeout(Duration.ofSeconds(20));
    }

    private HealthyNeighbour neighbour() throws Exception {
        return new HealthyNeighbour(client().name("neighbour"));
    }

    private static List<Operation<?>> times(int count, Operation<?> operation) {
        return Collections.nCopies(count, operation);
    }

    // --- the log

    @Test
    void logThatNoOneReadsDoesNotStopTheStore() throws Exception {
        serve(ServerProcess.startWithoutReaderOfErrors(List.of(), withAnyPort()));
        try (HealthyNeighbour healthy = neighbour()) {
            for (int i = 0; i < 3; i++) {
                try (TcpStore other = client().connect()) {
                    Operation<?> lease = new Operation.Watch("k".repeat(8_000), change -> {});
                    Barrier barrier = new Barrier("b" + i, IndexSet.of(1), null, null, false, times(12, lease));
                    other.submit(List.of(new Operation.Arrive(barrier, IndexSet.of(1), true)), LIMIT)
                            .get();
                }
            }

            healthy.assertUndisturbed();
        }
    }

    @Test
    void keysAndValuesForgeNoLinesOfTheLog() throws Exception {
        start(List.of());
        ServerProcess log = Objects.requireNonNull(server);
        String forged = "\n2026-01-01 00:00:00.000 WARN forged \u001b[2J\u0007".repeat(100);
        try (HealthyNeighbour healthy = neighbour();
                TcpStore hostile = client().connect()) {
            hostile.set("a" + forged, Value.of(forged));
            Barrier barrier = new Barrier(
                    "b" + forged, IndexSet.of(1), null, null, false, times(3, new Operation.Add("a" + forged, 1)));
            hostile.submit(List.of(new Operation.Arrive(barrier, IndexSet.of(1), true)), LIMIT)
                    .get();

            healthy.assertUndisturbed();
        }

        await().atMost(LIMIT).until(() -> log.errors().contains("Skipped a Add"));
        assertThat(log.errors())
                .hasLineCount(1)
                .doesNotContain("\u001b", "\u0007")
                .contains("\\n2026-01-01");
    }

    // --- work

    @Test
    void requestThatLooksAtAllKeysAgainAndAgainIsRefused() throws Exception {
        start(List.of());
        try (TcpStore greedy = client().connect()) {
            for (int batch = 0; batch < 100; batch++) {
                int first = 1_000 * batch;
                greedy.submit(
                                IntStream.range(first, first + 1_000)
                                        .<Operation<?>>mapToObj(i -> new Operation.Set("k" + i, Value.empty()))
                                        .toList(),
                                LIMIT)
                        .get();
            }
            try (HealthyNeighbour healthy = neighbour()) {
                assertRefused(greedy.submit(times(10_000, new Operation.KeyCount("k")), LIMIT), "looks at more than");
                // Each on its own is allowed, and lets others in between.
                List<Future<?>> counts = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    counts.add(greedy.submit(List.of(new Operation.KeyCount("k")), LIMIT));
                }
                for (Future<?> count : counts) {
                    assertThat(count.get()).isEqualTo(List.of(100_000L));
                }

                healthy.assertUndisturbed();
            }
        }
    }

    @Tag("full")
    @Test
    void requestThatCopiesALargeValueAgainAndAgainIsRefused() throws Exception {
        start(List.of());
        try (TcpStore greedy = client().connect()) {
            greedy.set("large", Value.of(new byte[(8 << 20) - 30_000]));
            try (HealthyNeighbour healthy = neighbour()) {
                Operation<?> append = new Operation.Append("large", Value.of("x"));
                assertRefused(greedy.submit(times(20_000, append), LIMIT), "copies more than");
                List<Future<?>> appends = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    appends.add(greedy.submit(List.of(append), LIMIT));
                }
                for (Future<?> one : appends) {
                    one.get();
                }

                healthy.assertUndisturbed();
            }
        }
    }

    @Tag("full")
    @Test
    void barrierWhoseArrivalsAreManyRangesTakesLittleTime() throws Exception {
        start(List.of());
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, Limits.MEMBERS));
        IndexSet ranges = IndexSet.of(IntStream.range(0, 3 * 200_000)
                .filter(member -> member % 3 != 2)
                .toArray());
        try (HealthyNeighbour healthy = neighbour();
                TcpStore greedy = client().connect()) {
            Operation<?> all = new Operation.Arrive(barrier, IndexSet.range(0, Limits.MEMBERS - 1), false);
            greedy.submit(List.of(all), LIMIT).get();
            for (int i = 0; i < 10; i++) {
                greedy.submit(List.of(new Operation.Arrive(barrier, ranges, false)), LIMIT)
                        .get();
            }

            healthy.assertUndisturbed();
        }
    }

    // --- memory

    @Test
    void keysFillTheStoreBeforeTheyFillItsHeap() throws Exception {
        assertFillTheStoreBeforeItsHeap(number -> new Operation.Set("key-" + number, Value.empty()));
    }

    @Tag("full")
    @Test
    void barriersFillTheStoreBeforeTheyFillItsHeap() throws Exception {
        assertFillTheStoreBeforeItsHeap(number ->
                new Operation.Arrive(Barrier.of("barrier-" + number, IndexSet.of(0, 1)), IndexSet.of(0), false));
    }

    private void assertFillTheStoreBeforeItsHeap(IntFunction<Operation<?>> operation) throws Exception {
        start(List.of("-Xmx128m"), "--max-total-bytes", "60000000");
        try (HealthyNeighbour healthy = neighbour();
                TcpStore greedy = client().connect()) {
            assertThatThrownBy(() -> {
                        for (int batch = 0; batch < 1_000; batch++) {
                            int first = 500 * batch;
                            greedy.submit(
                                            IntStream.range(first, first + 500)
                                                    .<Operation<?>>mapToObj(operation)
                                                    .toList(),
                                            LIMIT)
                                    .get();
                        }
                    })
                    .hasCauseInstanceOf(StoreRequestException.class)
                    .hasMessageContaining("max-total-bytes");

            healthy.assertUndisturbed();
        }
    }

    @Tag("full")
    @Test
    void waitingRequestsFillTheStoreBeforeTheyFillItsHeap() throws Exception {
        start(List.of("-Xmx128m"), "--max-total-bytes", "30000000");
        List<String> keys =
                IntStream.range(0, 100_000).mapToObj(key -> "k" + key).toList();
        try (HealthyNeighbour healthy = neighbour();
                TcpStore greedy = client().connect()) {
            List<Future<?>> waiting = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                waiting.add(greedy.submit(List.of(new Operation.Await(keys)), LIMIT));
                greedy.add("counter", 1); // so that the request has arrived
            }

            assertThat(waiting.stream().filter(request -> !request.isDone())).isNotEmpty();
            assertRefused(waiting.get(waiting.size() - 1), "max-total-bytes");
            healthy.assertUndisturbed();
        }
    }

    private static void assertRefused(Future<?> answer, String why) {
        assertThatThrownBy(answer::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreRequestException.class)
                .hasMessageContaining(why);
    }

    // --- memory

    @Tag("full")
    @Test
    void manyWhoWaitForALargeValueGetIt() throws Exception {
        start(List.of("-Xmx128m"), "--max-total-bytes", "50000000");

        assertAllGetALargeValue(60, null);
    }

    @Test
    @Tag("full")
    void threeHundredWhoWaitForALargeValueGetItFromAServerWithTheHeapThatItAdvises() throws Exception {
        start(List.of("-Xmx2g"));
        assertThat(Objects.requireNonNull(server).errors()).isEmpty();

        assertAllGetALargeValue(300, null);
    }

    @Test
    @Tag("full")
    void manyWhoWaitForALargeValueGetItEncrypted(@TempDir Path directory) throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .ecp256()
                .subject("CN=store")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path certificate = Files.writeString(directory.resolve("store.pem"), bundle.getCertificatePathPEM());
        Path key = Files.writeString(directory.resolve("store.key"), bundle.getPrivateKeyPEM());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        start(
                List.of("-Xmx128m"),
                "--max-total-bytes",
                "50000000",
                "--tls-cert",
                certificate.toString(),
                "--tls-key",
                key.toString());
        tls = Tls.create().trust(certificate);

        assertAllGetALargeValue(
                20,
                SslContextBuilder.forClient().trustManager(certificate.toFile()).build());
    }

    private void assertAllGetALargeValue(int count, @Nullable SslContext encryption) throws Exception {
        try (HealthyNeighbour healthy = neighbour();
                WaitingClients waiting = new WaitingClients(count, port, encryption, "large");
                TcpStore writer = client().connect()) {
            writer.set("large", Value.of(new byte[8 << 20]));

            assertThat(waiting.bytes()).hasSize(count).allMatch(bytes -> bytes > 8 << 20);
            healthy.assertUndisturbed();
            assertThat(Objects.requireNonNull(server).errors()).isEmpty();
        }
    }

    @Tag("full")
    @Test
    void manyWhoBeginLargeRequestsAndStallTakeLittleMemory() throws Exception {
        start(List.of("-Xmx128m"), "--max-total-bytes", "50000000");

        assertStalledRequestsDisturbNoOne(100);
    }

    @Test
    @Tag("full")
    void thousandWhoBeginLargeRequestsAndStallTakeLittleMemory() throws Exception {
        start(List.of("-Xmx256m"), "--max-total-bytes", "120000000");

        assertStalledRequestsDisturbNoOne(1_000);
    }

    /** Clients send most of a request of 8 MiB, as far as the server takes it, and then nothing. */
    private void assertStalledRequestsDisturbNoOne(int count) throws Exception {
        ByteBuffer begun = ByteBuffer.allocate(7 << 20).putInt(8 << 20).rewind();
        List<SocketChannel> stalled = new ArrayList<>();
        List<ByteBuffer> unsent = new ArrayList<>();
        try (HealthyNeighbour healthy = neighbour();
                TcpStore writer = client().connect()) {
            for (int i = 0; i < count; i++) {
                SocketChannel socket =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                stalled.add(socket);
                unsent.add(begun.duplicate());
                socket.write(hello());
                assertThat(socket.socket().getInputStream().read()).isNotNegative();
                socket.configureBlocking(false);
            }
            for (int idle = 0; idle < 20; idle++) {
                for (int i = 0; i < count; i++) {
                    idle = stalled.get(i).write(unsent.get(i)) > 0 ? 0 : idle;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }

            writer.set("key", Value.of("small"));

            healthy.assertUndisturbed();
            assertThat(Objects.requireNonNull(server).errors()).isEmpty();
        } finally {
            for (SocketChannel socket : stalled) {
                socket.close();
            }
        }
        try (TcpStore after = client().connect()) {
            after.set("large", Value.of(new byte[8 << 20])); // there is room again
        }
    }

    private static ByteBuffer hello() {
        ByteBuf hello = Unpooled.buffer();
        Frames.writePreface(hello);
        ByteBuf frame = Frames.frame(
                UnpooledByteBufAllocator.DEFAULT,
                Frames.HELLO,
                0,
                body -> body.text("").value(Value.empty()));
        hello.writeBytes(frame);
        frame.release();
        return hello.nioBuffer();
    }

    // --- connections

    @Test
    void strangersWithoutTheSecretDoNotKeepOutThoseWhoHaveIt(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
        start(List.of(), "--max-connections", "40", "--secret-file", file.toString());
        joinBesideStrangers(Secret.ofFile(file));
    }

    @Test
    void strangersTakeNoDescriptorThatTheProcessNeeds(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
        serve(ServerProcess.startWithDescriptors(100, withAnyPort("--secret-file", file.toString())));
        joinBesideStrangers(Secret.ofFile(file));
        assertThat(Objects.requireNonNull(server).errors()).doesNotContain("Cannot accept");
    }

    @Test
    @Tag("full")
    void serverWithoutADescriptorLeftServesThoseThatItHasAndLaterOthers() throws Exception {
        start(List.of());
        ServerProcess process = Objects.requireNonNull(server);
        try (HealthyNeighbour healthy = neighbour()) {
            long open;
            try (Stream<Path> all =
                    Files.list(Path.of("/proc/%d/fd".formatted(process.process().pid())))) {
                open = all.count();
            }
            allow(process, open);
            try (Socket waiting = new Socket(InetAddress.getLoopbackAddress(), port)) {
                await().atMost(LIMIT).until(() -> process.errors().contains("Cannot accept a connection"));
                healthy.assertUndisturbed();
                assertThat(waiting.isConnected()).isTrue();
            }
            allow(process, 1024);
            try (TcpStore later = client().connect()) {
                assertThat(later.add("later", 1)).isEqualTo(1);
            }
            healthy.assertUndisturbed();
        }
        assertThat(process.errors()).containsOnlyOnce("Cannot accept a connection");
    }

    private static void allow(ServerProcess process, long descriptors) throws Exception {
        String pid = Long.toString(process.process().pid());
        assertThat(new ProcessBuilder("prlimit", "--pid", pid, "--nofile=%d:".formatted(descriptors))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void joinBesideStrangers(Secret secret) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread stranger = new Thread(() -> holdSlots(isOver), "stranger");
        try (HealthyNeighbour healthy = new HealthyNeighbour(client().secret(secret))) {
            stranger.start();

            for (int i = 0; i < 50; i++) {
                try (TcpStore rank = client().secret(secret).connect()) {
                    assertThat(rank.add("ranks", 1)).isEqualTo(i + 1);
                }
            }

            healthy.assertUndisturbed();
        } finally {
            isOver.set(true);
            stranger.join();
        }
    }

    /** Opens connections, many more than there are slots, and says nothing. */
    private void holdSlots(AtomicBoolean isOver) {
        List<Socket> sockets = new ArrayList<>();
        try {
            while (!isOver.get()) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
                if (sockets.size() > 200) {
                    sockets.remove(0).close();
                }
                Thread.sleep(2);
            }
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException | InterruptedException failure) {
            throw new StoreException("the stranger failed", failure);
        }
    }
}
