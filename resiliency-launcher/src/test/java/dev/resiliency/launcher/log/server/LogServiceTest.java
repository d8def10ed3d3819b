package dev.resiliency.launcher.log.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.rpc.log.LogChunk;
import dev.resiliency.launcher.rpc.log.StreamResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that are held open, with a clock that only the test moves. */
class LogServiceTest {
    @TempDir
    private Path directory;

    private final List<String> complaints = new ArrayList<>();
    private Merger merger;
    private LogService service;
    private long now;

    @BeforeEach
    void create() {
        merger = new Merger(LogFiles.of(directory.resolve("train")), complaints::add);
        service = new LogService(merger, () -> 0, () -> now);
    }

    @AfterEach
    void close() {
        merger.close();
    }

    /** What has become of a stream. */
    private final class Client implements StreamObserver<StreamResponse> {
        final StreamObserver<LogChunk> chunks = service.streamLogs(this);
        Status.@Nullable Code failure;
        boolean isAnswered;

        void send() {
            chunks.onNext(LogChunk.newBuilder()
                    .setNodeId("host0")
                    .setFilePath("train_cycle0.log")
                    .setData(ByteString.copyFromUtf8("line\n"))
                    .build());
        }

        @Override
        public void onNext(StreamResponse response) {
            isAnswered = true;
        }

        @Override
        public void onError(Throwable problem) {
            failure = Status.fromThrowable(problem).getCode();
        }

        @Override
        public void onCompleted() {}
    }

    private List<Client> openAll() {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < LogService.MOST_STREAMS; i++) {
            clients.add(new Client());
        }
        return clients;
    }

    @Test
    void streamThatHasBeenSilentForLongestMakesRoomForAnother() {
        List<Client> clients = openAll();
        now += Duration.ofSeconds(5).toNanos();
        clients.get(0).send();

        Client another = new Client();
        another.send();
        another.chunks.onCompleted();

        assertThat(another.isAnswered).isTrue();
        assertThat(clients.get(1).failure).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(clients.stream().filter(client -> client.failure != null)).hasSize(1);
    }

    @Test
    void streamsOverWhichLinesComeMakeNoRoom() {
        List<Client> clients = openAll();

        assertThat(new Client().failure).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(clients).allMatch(client -> client.failure == null);
    }

    @Test
    void streamThatIsSilentIsEnded() {
        Client silent = new Client();
        Client busy = new Client();
        now += Duration.ofSeconds(29).toNanos();
        busy.send();
        service.endSilentStreams();
        assertThat(silent.failure).isNull();

        now += Duration.ofSeconds(1).toNanos();
        service.endSilentStreams();

        assertThat(silent.failure).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(busy.failure).isNull();
    }
}
