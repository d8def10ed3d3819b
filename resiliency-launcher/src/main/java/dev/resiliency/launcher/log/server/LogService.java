package dev.resiliency.launcher.log.server;

import dev.resiliency.launcher.rpc.log.HealthRequest;
import dev.resiliency.launcher.rpc.log.HealthResponse;
import dev.resiliency.launcher.rpc.log.LogAggregationServiceGrpc.LogAggregationServiceImplBase;
import dev.resiliency.launcher.rpc.log.LogChunk;
import dev.resiliency.launcher.rpc.log.StreamResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Answers the calls of nodes. A stream is answered when all of its lines are in the file. gRPC asks for the next chunk of a stream
 * when the one before is written, so a node that is faster than the file waits. Confined to the thread of the server, but for
 * what says otherwise.
 */
final class LogService extends LogAggregationServiceImplBase {
    /** So the memory that chunks take is bounded: what nodes send waits in their own files. */
    static final int MOST_STREAMS = 64;

    private final Merger merger;
    private final IntSupplier connections;
    private int streams;
    /** Chunks in the file. */
    private final AtomicLong written = new AtomicLong();

    LogService(Merger merger, IntSupplier connections) {
        this.merger = merger;
        this.connections = connections;
    }

    /** Returns how many chunks are in the file. Safe for use by many threads. */
    long written() {
        return written.get();
    }

    @Override
    public StreamObserver<LogChunk> streamLogs(StreamObserver<StreamResponse> responses) {
        Stream stream = new Stream(responses);
        if (streams > MOST_STREAMS) {
            stream.fail(
                    Status.RESOURCE_EXHAUSTED.withDescription("%d nodes are sending; try again".formatted(streams)));
        }
        return stream;
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

        Stream(StreamObserver<StreamResponse> responses) {
            this.responses = responses;
            streams++;
        }

        @Override
        public void onNext(LogChunk chunk) {
            if (hasEnded) {
                return;
            }
            try {
                last = merger.append(chunk);
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
            streams--;
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
