package dev.resiliency.launcher.log.server;

import com.google.protobuf.UnsafeByteOperations;
import dev.resiliency.launcher.rpc.log.HealthRequest;
import dev.resiliency.launcher.rpc.log.LogAggregationServiceGrpc;
import dev.resiliency.launcher.rpc.log.LogAggregationServiceGrpc.LogAggregationServiceStub;
import dev.resiliency.launcher.rpc.log.LogChunk;
import dev.resiliency.launcher.rpc.log.StreamResponse;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The calls of a node to the log server, each of which waits for its answer. Confined to one thread. */
final class LogConnection implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final int MOST_CHUNKS = 8;
    private static final int WINDOW = 256 << 10;

    private final ManagedChannel channel;
    private final String node;
    private final String jobId;
    /** Of this process, so that the server counts its lines apart from those of others; never 0. */
    private final long session = ThreadLocalRandom.current().nextLong() | 1;

    private final @Nullable Secret secret;
    private final boolean usesTls;
    /** Whether the server has answered a call, be it to refuse it. */
    private boolean hasAnswered;
    /** What each call says; null before the server has proved that it knows the secret. */
    private @Nullable Metadata headers;

    LogConnection(InetSocketAddress server, String node, String jobId, @Nullable Secret secret, @Nullable Tls tls)
            throws IOException {
        this.node = node;
        this.jobId = jobId;
        this.secret = secret;
        usesTls = tls != null;
        channel = NettyChannelBuilder.forAddress(server.getHostString(), server.getPort(), credentials(tls))
                .directExecutor() // its callbacks only complete futures
                .flowControlWindow(WINDOW)
                .build();
    }

    private static ChannelCredentials credentials(@Nullable Tls tls) throws IOException {
        if (tls == null) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
        if (tls.certificates() != null && tls.key() != null) {
            builder.keyManager(tls.certificates().toFile(), tls.key().toFile());
        }
        if (tls.trust() != null) {
            builder.trustManager(tls.trust().toFile());
        }
        return builder.build();
    }

    /** Returns the number of the last line that the server has of a cycle. */
    long lastLine(SentFile file) throws IOException, InterruptedException {
        return LastLine.of(call(file, 0));
    }

    /**
     * Sends what there is of a file, but not too much at once.
     *
     * @return whether there was anything
     */
    boolean send(SentFile file) throws IOException, InterruptedException {
        long first = file.nextNumber();
        StreamResponse answer = call(file, MOST_CHUNKS);
        long sent = file.nextNumber() - first;
        long last = LastLine.of(answer);
        if (last == 0 || last == file.nextNumber() - 1) {
            file.acknowledge();
        } else {
            file.resumeAfter(last);
        }
        return sent > 0;
    }

    private StreamResponse call(SentFile file, int mostChunks) throws IOException, InterruptedException {
        Answer<StreamResponse> answer = new Answer<>();
        StreamObserver<LogChunk> chunks = stub().streamLogs(answer);
        try {
            LogChunk.Builder chunk = LogChunk.newBuilder()
                    .setNodeId(node)
                    .setSession(session)
                    .setFilePath(file.path().toString());
            if (mostChunks == 0) {
                chunks.onNext(chunk.build());
            }
            for (int sent = 0; sent < mostChunks; sent++) {
                long first = file.nextNumber();
                ByteBuffer lines = file.next();
                if (!lines.hasRemaining()) {
                    break;
                }
                byte[] copy = new byte[lines.remaining()];
                lines.get(copy);
                chunks.onNext(chunk.setFirstLine(first)
                        .setData(UnsafeByteOperations.unsafeWrap(copy))
                        .build());
            }
            chunks.onCompleted();
        } catch (IOException | RuntimeException e) {
            chunks.onError(Status.CANCELLED.asRuntimeException());
            throw e;
        }
        return answer.await();
    }

    private LogAggregationServiceStub stub() throws IOException, InterruptedException {
        Metadata known = headers;
        if (known == null) {
            known = shakeHands();
            headers = known;
        }
        return stub(known);
    }

    private LogAggregationServiceStub stub(Metadata known) {
        return LogAggregationServiceGrpc.newStub(channel)
                .withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(known));
    }

    /** The connection is new: its server has another challenge. */
    void forgetHandshake() {
        headers = null;
    }

    private Metadata shakeHands() throws IOException, InterruptedException {
        Metadata known = new Metadata();
        known.put(Proof.JOB, jobId);
        if (secret == null) {
            return known;
        }
        AtomicReference<Metadata> trailers = new AtomicReference<>();
        try {
            healthCheck(known, new AtomicReference<>(), trailers);
        } catch (CallException refused) {
            String challenge = trailers.get() == null ? null : trailers.get().get(Proof.CHALLENGE);
            if (challenge == null) {
                throw refused;
            }
            String nonce = Proof.random();
            known.put(Proof.NONCE, nonce);
            known.put(Proof.OF_CLIENT, Proof.ofClient(secret.key(), challenge, nonce));
            AtomicReference<Metadata> answer = new AtomicReference<>();
            healthCheck(known, answer, trailers);
            String proof = answer.get() == null ? null : answer.get().get(Proof.OF_SERVER);
            if (proof != null && Proof.isEqual(Proof.ofServer(secret.key(), challenge, nonce), proof)) {
                return known;
            }
        }
        throw new CallException("the log server does not know the secret of this job: it gets no lines", null);
    }

    private void healthCheck(Metadata known, AtomicReference<Metadata> answer, AtomicReference<Metadata> trailers)
            throws IOException, InterruptedException {
        Answer<Object> health = new Answer<>();
        stub(known)
                .withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(answer, trailers))
                .healthCheck(HealthRequest.getDefaultInstance(), health.as());
        health.await();
    }

    /** A call has failed. */
    static final class CallException extends IOException {
        private static final long serialVersionUID = 1;

        /**
         * Creates the exception.
         *
         * @param cause null if the server has not proved that it knows the secret
         */
        CallException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }

        /** Returns whether the server only has too much to do. */
        boolean isBusy() {
            return hasCode(Status.Code.RESOURCE_EXHAUSTED);
        }

        /** Returns whether this is not the server for this node. */
        boolean isRefused() {
            return getCause() == null
                    || hasCode(Status.Code.UNAUTHENTICATED)
                    || hasCode(Status.Code.FAILED_PRECONDITION);
        }

        private boolean hasCode(Status.Code code) {
            return getCause() instanceof StatusRuntimeException call
                    && call.getStatus().getCode() == code;
        }
    }

    /** The answer to a call. */
    private final class Answer<T> implements StreamObserver<T> {
        private final CompletableFuture<T> future = new CompletableFuture<>();

        @SuppressWarnings("unchecked") // whoever takes any object takes this one
        <S extends T> StreamObserver<S> as() {
            return (StreamObserver<S>) this;
        }

        @Override
        public void onNext(T answer) {
            future.complete(answer);
        }

        @Override
        public void onError(Throwable failure) {
            future.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            future.completeExceptionally(new IllegalStateException("no answer"));
        }

        T await() throws CallException, InterruptedException {
            try {
                T answer = future.get(LIMIT.toMillis() + MARGIN.toMillis(), TimeUnit.MILLISECONDS);
                hasAnswered = true;
                return answer;
            } catch (TimeoutException e) {
                throw new CallException("no answer within 30s", e);
            } catch (ExecutionException e) {
                throw new CallException(reason(e.getCause()), e.getCause());
            }
        }

        private String reason(@Nullable Throwable failure) {
            if (!(failure instanceof StatusRuntimeException call)) {
                return String.valueOf(failure);
            }
            Status status = call.getStatus();
            hasAnswered |= status.getCode() != Status.Code.UNAVAILABLE;
            String description = status.getDescription();
            String text = description == null
                    ? status.getCode().toString()
                    : description.lines().findFirst().orElse("");
            if (status.getCause() != null) {
                return text + " (" + root(status.getCause()).getMessage() + ")";
            }
            return hasAnswered || usesTls
                    ? text
                    : "%s; if the store uses TLS, this node needs %s as well".formatted(text, Tls.TRUST_VARIABLE);
        }

        private static Throwable root(Throwable failure) {
            Throwable root = failure;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            return root;
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
