package dev.resiliency.launcher.log.server;

import dev.resiliency.launcher.rpc.log.HealthRequest;
import dev.resiliency.launcher.rpc.log.HealthResponse;
import dev.resiliency.launcher.rpc.log.LogAggregationServiceGrpc.LogAggregationServiceImplBase;
import dev.resiliency.launcher.rpc.log.LogChunk;
import dev.resiliency.launcher.rpc.log.StreamResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Answers the calls of nodes. A stream is answered when all of its lines are in the file. gRPC asks for the next chunk of a stream
 * when the one before is written, so a node that is faster than the file waits. Confined to the thread of the server, but for
 * what says otherwise.
 */
final class LogService extends LogAggregationServiceImplBase {
    /** So the memory that chunks take is bounded: what nodes send waits in their own files. */
    static final int MOST_STREAMS = 64;

    /** A stream that has been silent for so long makes room for another. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** A client of ours gives up by then. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final Merger merger;
    private final IntSupplier connections;
    private final LongSupplier nanoTime;
    /** Those that are open; the one that has been silent for longest is the first one. */
    private final Set<Stream> streams = new LinkedHashSet<>();
    /** Chunks in the file. */
    private final AtomicLong written = new AtomicLong();
    /** Written by the thread of the agent. */
    private volatile Expected expected = new Expected(0, 0);
    /** How many nodes have sent lines of that cycle. Written by the thread of the server. */
    private volatile int heard;

    /** The nodes that begin a cycle. */
    private record Expected(int cycle, int nodes) {}

    /** @param nanoTime a clock such as {@link System#nanoTime()} */
    LogService(Merger merger, IntSupplier connections, LongSupplier nanoTime) {
        this.merger = merger;
        this.connections = connections;
        this.nanoTime = nanoTime;
    }

    /** Returns how many chunks are in the file. Safe for use by many threads. */
    long written() {
        return written.get();
    }

    /** So many nodes are going to send lines of this cycle. From any thread. */
    void expect(int cycle, int nodes) {
        expected = new Expected(cycle, nodes);
    }

    /** Returns how many of them have sent nothing yet. From any thread. */
    int silentNodes() {
        return expected.nodes() - heard;
    }

    @Override
    public StreamObserver<LogChunk> streamLogs(StreamObserver<StreamResponse> responses) {
        if (streams.size() >= MOST_STREAMS) {
            endSilentStreams(QUIET, 1);
        }
        Stream stream = new Stream(responses);
        if (streams.size() > MOST_STREAMS) {
            stream.fail(Status.RESOURCE_EXHAUSTED.withDescription(
                    "%d nodes are sending; try again".formatted(streams.size() - 1)));
        }
        return stream;
    }

    /** Ends the streams over which nothing has come for too long. */
    void endSilentStreams() {
        endSilentStreams(SILENCE, Integer.MAX_VALUE);
    }

    private void endSilentStreams(Duration silence, int atMost) {
        long now = nanoTime.getAsLong();
        List<Stream> silent = streams.stream()
                .takeWhile(stream -> now - stream.heard >= silence.toNanos())
                .limit(atMost)
                .toList();
        silent.forEach(stream -> stream.fail(Status.DEADLINE_EXCEEDED.withDescription(
                "nothing has come over this stream for %d s; open another".formatted(silence.toSeconds()))));
    }

    @Override
    public void healthCheck(HealthRequest request, StreamObserver<HealthResponse> responses) {
        responses.onNext(HealthResponse.newBuilder()
                .setHealthy(true)
                .setConnectedClients(connections.getAsInt())
                .build());
        responses.onCompleted();
    }

    private final class Stream implements StreamObserver<LogChunk> {
        private final StreamObserver<StreamResponse> responses;
        private long bytes;
        private long last;
        private boolean hasEnded;
        /** When something has come over it, at first its beginning. */
        private long heard;

        Stream(StreamObserver<StreamResponse> responses) {
            this.responses = responses;
            hear();
        }

        private void hear() {
            heard = nanoTime.getAsLong();
            streams.remove(this);
            streams.add(this);
        }

        @Override
        public void onNext(LogChunk chunk) {
            if (hasEnded) {
                return;
            }
            hear();
            try {
                last = merger.append(chunk);
                heard = merger.nodes(expected.cycle());
                bytes += chunk.getData().size();
                written.incrementAndGet();
            } catch (IOException e) {
                fail(Status.UNAVAILABLE.withDescription("the log file cannot be written: " + e.getMessage()));
            } catch (IllegalArgumentException e) {
                fail(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
            }
        }

        void fail(Status status) {
            if (end()) {
                responses.onError(status.asRuntimeException());
            }
        }

        private boolean end() {
            if (hasEnded) {
                return false;
            }
            hasEnded = true;
            streams.remove(this);
            return true;
        }

        @Override
        public void onError(Throwable cancelled) {
            end();
        }

        @Override
        public void onCompleted() {
            if (end()) {
                responses.onNext(
                        LastLine.in(StreamResponse.newBuilder().setStatus("ok").setBytesReceived(bytes), last));
                responses.onCompleted();
            }
        }
    }
}
