package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.resiliency.launcher.rpc.log.LogAggregationServiceGrpc;
import dev.resiliency.launcher.rpc.log.LogChunk;
import dev.resiliency.launcher.rpc.log.StreamResponse;
import dev.resiliency.store.tcp.Secret;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What arrives at a log server of what its nodes write. */
@Timeout(120)
class LogServerTest extends ServedJob {
    private static List<String> expected(String node, int lines) {
        return IntStream.rangeClosed(1, lines)
                .mapToObj(i -> "%s:%d %s line %d".formatted(node, i, node, i))
                .toList();
    }

    @Test
    void linesOfAllNodesAreInOneFileAndNumbered() throws Exception {
        serve(SECRET);
        try (Node first = new Node("host0", SECRET);
                Node second = new Node("host1", SECRET)) {
            first.write(1, 1000);
            second.write(1, 500);
            first.log.enter(1, 1);
            first.write(1001, 1001);
        }

        assertThat(linesOf("host0", 0)).isEqualTo(expected("host0", 1000));
        assertThat(linesOf("host1", 0)).isEqualTo(expected("host1", 500));
        assertThat(lines(0)).hasSize(1500);
        assertThat(lines(1)).containsExactly("host0:1 host0 line 1001");
        assertThat(complaints).isEmpty();
    }

    /** Its ranks have ended before it has connected, which takes longer than they ran. */
    @Test
    void serverWaitsForANodeThatHasSentNothingYet() throws Exception {
        LogServer server = serve(SECRET);
        server.entered(0, 2);
        try (Node first = new Node("host0", SECRET)) {
            first.write(1, 10);
        }
        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> {
            try {
                server.awaitLastWords();
                server.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (Node late = new Node("host1", SECRET)) {
            late.write(1, 10);
        }

        ended.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(linesOf("host1", 0)).isEqualTo(expected("host1", 10));
        assertThat(complaints).isEmpty();
    }

    @Test
    void linesArriveWhileTheNodeGoesOn() throws Exception {
        serve(null);
        Node node = new Node("host0", null);
        for (int line = 1; line <= 5; line++) {
            node.write(line, line);
            int written = line;
            await().atMost(LIMIT).until(() -> lines(0).size() == written);
        }
    }

    @Test
    void nothingIsLostOrThereTwiceWhenTheServerIsRestarted() throws Exception {
        LogServer server = serve(SECRET);
        try (Node node = new Node("host0", SECRET)) {
            for (int round = 0; round < 5; round++) {
                node.write(1 + round * 2000, 1000 + round * 2000);
                if (round % 2 == 0) {
                    int written = round * 2000;
                    await().atMost(LIMIT).until(() -> lines(0).size() > written);
                }
                server.close(); // perhaps in the middle of a stream
                node.write(1001 + round * 2000, 2000 + round * 2000);
                server = serve(SECRET);
            }
            await().atMost(LIMIT).until(() -> lines(0).size() >= 10_000);
        }

        assertThat(lines(0)).isEqualTo(expected("host0", 10_000));
    }

    /** The client learns that its proof is an old one only by the call with its last lines. */
    @Test
    void lastLinesArriveAtAServerThatWasRestartedWhileNothingWasWritten() throws Exception {
        LogServer server = serve(SECRET);
        try (Node node = new Node("host0", SECRET)) {
            node.write(1, 10);
            await().atMost(LIMIT).until(() -> lines(0).size() == 10);
            server.close();
            serve(SECRET);
            node.write(11, 20);
        }

        assertThat(lines(0)).isEqualTo(expected("host0", 20));
    }

    @Test
    void linesWaitInTheFileUntilTheServerIsThere() throws Exception {
        LogServer first = serve(SECRET); // for a port
        first.close();
        Node node = new Node("host0", SECRET);
        node.write(1, 3000);
        node.log.enter(1, 1);
        node.write(3001, 3001);
        await().atMost(LIMIT).until(() -> !complaints.isEmpty());
        assertThat(complaints)
                .singleElement()
                .asString()
                .contains("gets no lines")
                .contains("sent later");

        serve(SECRET);

        await().atMost(LIMIT).until(() -> lines(1).size() == 1);
        assertThat(lines(0)).isEqualTo(expected("host0", 3000));
        await().atMost(LIMIT).until(() -> complaints.contains("the log server gets lines again"));
    }

    @Test
    void nodeThatStartsAgainGoesOnWhereItWas() throws Exception {
        serve(null);
        try (Node node = new Node("host0", null)) {
            node.write(1, 100);
        }
        try (Node node = new Node("host0", null)) {
            node.write(101, 200);
        }

        assertThat(lines(0)).isEqualTo(expected("host0", 200));
    }

    @Test
    void nodeThatHasLostItsFileGoesOnInTheNumbersOfTheServer() throws Exception {
        serve(null);
        try (Node node = new Node("host0", null)) {
            node.write(1, 100);
        }
        try (Node node = new Node("host0", "another", "job", null)) {
            node.write(101, 300);
        }

        assertThat(lines(0)).isEqualTo(expected("host0", 300));
    }

    @Test
    void strangerIsRefusedAndDisturbsNobody() throws Exception {
        serve(SECRET);
        Node node = new Node("host0", SECRET);
        Secret wrong = Secret.of("another secret of 32 characters.".getBytes(UTF_8));
        Node guesses = new Node("guesses", wrong);
        Node hasNone = new Node("none", null);
        guesses.write(1, 10);
        hasNone.write(1, 10);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".repeat(1000).getBytes(UTF_8));
            node.write(1, 1000);
            await().atMost(LIMIT).until(() -> lines(0).size() >= 1000);
            await().atMost(LIMIT)
                    .until(() ->
                            complaints.stream().anyMatch(line -> line.contains("does not know the secret of the job")));
        }

        awaitComplaint("gets no lines: this job has another secret than this node");
        awaitComplaint("gets no lines: this job has a secret, which this node does not give");
        assertThat(lines(0)).isEqualTo(expected("host0", 1000));
    }

    @Test
    void impostorGetsNoLines() throws Exception {
        serve(null); // takes all, and proves nothing
        Node node = new Node("host0", SECRET);
        node.write(1, 10);

        await().atMost(LIMIT).until(() -> !complaints.isEmpty());
        assertThat(complaints.get(0)).contains("does not know the secret of this job: it gets no lines");
        assertThat(lines(0)).isEmpty();
    }

    @Test
    void anotherJobIsRefused() throws Exception {
        serve(SECRET);
        Node node = new Node("host0", "local", "another", SECRET);
        node.write(1, 10);

        await().atMost(LIMIT)
                .until(() ->
                        complaints.stream().anyMatch(line -> line.contains("this is the log server of job 'job'")));
        assertThat(lines(0)).isEmpty();
    }

    @Test
    void missingLinesAreNamed() throws Exception {
        serve(null);
        assertThat(LastLine.of(send("host0", 1, "a\nb\n"))).isEqualTo(2);
        assertThat(LastLine.of(send("host0", 2, "b\nc\n"))).isEqualTo(3);
        assertThat(LastLine.of(send("host0", 5, "e\n"))).isEqualTo(5);
        assertThat(LastLine.of(send("host0", 9, "i\n"))).isEqualTo(9);

        assertThat(lines(0))
                .containsExactly(
                        "host0:1 a",
                        "host0:2 b",
                        "host0:3 c",
                        "host0:4-4 … 1 line is missing here",
                        "host0:5 e",
                        "host0:6-8 … 3 lines are missing here",
                        "host0:9 i");
    }

    @Test
    void senderWithoutNumbersIsServed() throws Exception {
        serve(null);
        assertThat(send("node one\n", 0, "a\nb\n").getStatus()).isEqualTo("ok");
        send("node one\n", 0, "c");

        assertThat(lines(0)).containsExactly("node%20one%0A:1 a", "node%20one%0A:2 b", "node%20one%0A:3 c");
    }

    @Test
    void nodesWhoseNamesAreAlikeAreToldApart() throws Exception {
        serve(null);
        try (Node first = new Node("gpu:1", null);
                Node second = new Node("gpu_1", null)) {
            first.write(1, 2);
            second.write(1, 2);
        }

        assertThat(lines(0))
                .containsExactlyInAnyOrder(
                        "gpu%3A1:1 gpu:1 line 1",
                        "gpu%3A1:2 gpu:1 line 2", "gpu_1:1 gpu_1 line 1", "gpu_1:2 gpu_1 line 2");
        assertThat(complaints).isEmpty();
    }

    @Test
    void forgedLineNumberHidesNoLines() throws Exception {
        LogServer server = serve(null);
        try (Node node = new Node("host0", null)) {
            node.write(1, 10);
            await().atMost(LIMIT).until(() -> lines(0).size() == 10);
            send("host0", 1_000_000, "forged\n");
            node.write(11, 20);
            await().atMost(LIMIT).until(() -> linesOf("host0", 0).containsAll(expected("host0", 20)));
            awaitComplaint("several processes send lines as node host0");

            server.close();
            serve(null);
            node.write(21, 30);
        }

        assertThat(linesOf("host0", 0))
                .containsAll(expected("host0", 30))
                .hasSize(32); // and the forged one, and its gap
    }

    @Tag("full")
    @Test
    void strangerThatOnlySendsThePrefaceIsDisconnected() throws Exception {
        serve(SECRET);
        Node node = new Node("host0", SECRET);
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket preface = new Socket(InetAddress.getLoopbackAddress(), port)) {
            preface.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(UTF_8));
            preface.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // SETTINGS
            node.write(1, 10);
            await().atMost(LIMIT).until(() -> lines(0).size() == 10);

            silent.getInputStream().readAllBytes();
            preface.getInputStream().readAllBytes();
        }

        assertThat(complaints).allMatch(line -> line.contains("it did not complete the handshake within 10 s"));
        node.write(11, 20);
        await().atMost(LIMIT).until(() -> lines(0).size() == 20);
    }

    @Test
    void partOfALineThatAKilledServerLeftIsWrittenAnew() throws Exception {
        Files.writeString(merged().ofCycle(0), "host0:1 host0 line 1\nhost0:2 host0 li");
        Node node = new Node("host0", null);
        node.write(1, 3);
        node.close();
        serve(null);

        try (Node again = new Node("host0", null)) {
            again.write(4, 4);
        }

        assertThat(lines(0)).isEqualTo(expected("host0", 4));
    }

    @Test
    void lastLineOfAFileThatWasThereBeforeIsKept() throws Exception {
        Files.writeString(merged().ofCycle(0), "of somebody else");
        serve(null);

        try (Node node = new Node("host0", null)) {
            node.write(1, 1);
        }

        assertThat(lines(0))
                .containsExactly("of somebody else", expected("host0", 1).get(0));
    }

    @Test
    void linkInThePlaceOfTheFileIsNotFollowed() throws Exception {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Path link = Files.createSymbolicLink(merged().ofCycle(0), victim);
        serve(null);
        Node node = new Node("host0", null);
        node.write(1, 1);
        await().atMost(LIMIT).until(() -> complaints.stream().anyMatch(line -> line.contains("is a symbolic link")));

        Files.delete(link);

        await().atMost(LIMIT).until(() -> Files.exists(merged().ofCycle(0)) && lines(0).size() == 1);
        node.close();
        assertThat(victim).hasContent("precious");
    }

    @Test
    void fileThatCannotBeWrittenLosesNothing() throws Exception {
        Path merged = Files.createDirectory(merged().ofCycle(0)); // a directory is no file
        serve(null);
        Node node = new Node("host0", null);
        node.write(1, 100);
        await().atMost(LIMIT)
                .until(() -> complaints.stream().anyMatch(line -> line.contains("The nodes keep their lines")));

        Files.delete(merged);

        await().atMost(LIMIT).until(() -> lines(0).size() == 100);
        assertThat(lines(0)).isEqualTo(expected("host0", 100));
    }

    @Test
    void portInUseIsSaid() throws Exception {
        serve(null);

        assertThatThrownBy(() -> serve(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the log server cannot listen at localhost:" + port)
                .hasMessageContaining("Choose another port with --log-server-port");
    }

    private void awaitComplaint(String text) {
        await().atMost(LIMIT).until(() -> complaints.stream().anyMatch(line -> line.contains(text)));
    }

    private StreamResponse send(String node, long first, String lines) throws Exception {
        ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
                .build();
        CompletableFuture<StreamResponse> answer = new CompletableFuture<>();
        try {
            StreamObserver<LogChunk> chunks = LogAggregationServiceGrpc.newStub(channel)
                    .streamLogs(new StreamObserver<>() {
                        @Override
                        public void onNext(StreamResponse response) {
                            answer.complete(response);
                        }

                        @Override
                        public void onError(Throwable failure) {
                            answer.completeExceptionally(failure);
                        }

                        @Override
                        public void onCompleted() {}
                    });
            chunks.onNext(LogChunk.newBuilder()
                    .setNodeId(node)
                    .setFilePath("/lustre/train_cycle0.log")
                    .setFirstLine(first)
                    .setData(ByteString.copyFromUtf8(lines))
                    .build());
            chunks.onCompleted();
            return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } finally {
            channel.shutdownNow();
        }
    }
}
