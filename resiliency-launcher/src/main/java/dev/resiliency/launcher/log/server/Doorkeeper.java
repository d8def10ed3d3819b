package dev.resiliency.launcher.log.server;

import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.tcp.Secret;
import io.grpc.Attributes;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets in the clients of this job only: those that name it and, if it has a secret, prove that they know it. Safe for use by many
 * threads.
 */
final class Doorkeeper extends ServerTransportFilter implements ServerInterceptor {
    private static final Attributes.Key<Client> CLIENT = Attributes.Key.create("resiliency-client");
    private static final long SILENCE = Duration.ofMinutes(1).toNanos();

    private final String jobId;
    private final @Nullable Secret secret;
    private final Consumer<String> complaints;
    private final Places places;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger members = new AtomicInteger();

    private final AtomicLong complainedAt = new AtomicLong(System.nanoTime() - SILENCE);

    Doorkeeper(String jobId, @Nullable Secret secret, Descriptors descriptors, Consumer<String> complaints) {
        this.jobId = jobId;
        this.secret = secret;
        this.complaints = complaints;
        places = new Places(descriptors, this::complain);
    }

    /** A connection. */
    private static final class Client {
        final String challenge = Proof.random();
        final AtomicReference<Standing> standing = new AtomicReference<>(Standing.UNPROVED);
    }

    private enum Standing {
        /** Has not proved yet that it belongs to the job. */
        UNPROVED,
        /** Belongs to the job. */
        MEMBER,
        /** Is closed. */
        GONE
    }

    Places places() {
        return places;
    }

    /** Returns how many connections are open. */
    int connections() {
        return connections.get();
    }

    /** Returns how many connections are open that belong to the job. */
    int members() {
        return members.get();
    }

    @Override
    public Attributes transportReady(Attributes transport) {
        connections.incrementAndGet();
        return transport.toBuilder().set(CLIENT, new Client()).build();
    }

    @Override
    public void transportTerminated(@Nullable Attributes transport) {
        Client client = transport == null ? null : transport.get(CLIENT);
        if (client != null) {
            connections.decrementAndGet();
            if (client.standing.getAndSet(Standing.GONE) == Standing.MEMBER) {
                members.decrementAndGet();
            }
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (secret == null) {
            return checkJob(call, headers, next);
        }
        String challenge = Objects.requireNonNull(call.getAttributes().get(CLIENT)).challenge;
        String nonce = headers.get(Proof.NONCE);
        String proof = headers.get(Proof.OF_CLIENT);
        if (nonce == null || proof == null || !Proof.isEqual(Proof.ofClient(secret.key(), challenge, nonce), proof)) {
            if (proof != null) { // without one, it may only ask for the challenge
                complain(call, "does not know the secret of the job");
            }
            Metadata trailers = new Metadata();
            trailers.put(Proof.CHALLENGE, challenge);
            String problem = proof == null
                    ? "this job has a secret, which this node does not give"
                    : "this job has another secret than this node";
            return refuse(call, Status.UNAUTHENTICATED.withDescription(problem), trailers);
        }
        String answer = Proof.ofServer(secret.key(), challenge, nonce);
        return checkJob(
                new SimpleForwardingServerCall<>(call) {
                    @Override
                    public void sendHeaders(Metadata responseHeaders) {
                        responseHeaders.put(Proof.OF_SERVER, answer);
                        super.sendHeaders(responseHeaders);
                    }
                },
                headers,
                next);
    }

    private <Q, A> ServerCall.Listener<Q> checkJob(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String job = headers.get(Proof.JOB);
        if (job != null && !job.equals(jobId)) { // other implementations name none
            complain(call, "belongs to job '%s'".formatted(job));
            return refuse(
                    call,
                    Status.FAILED_PRECONDITION.withDescription(
                            "this is the log server of job '%s'; choose another port with --log-server-port"
                                    .formatted(jobId)),
                    new Metadata());
        }
        proved(call.getAttributes());
        return next.startCall(call, headers);
    }

    private void proved(Attributes transport) {
        Client client = transport.get(CLIENT);
        if (client != null && client.standing.compareAndSet(Standing.UNPROVED, Standing.MEMBER)) {
            members.incrementAndGet();
            places.proved(
                    transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), transport.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR));
        }
    }

    private static <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, Status status, Metadata trailers) {
        call.close(status, trailers);
        return new ServerCall.Listener<>() {};
    }

    private void complain(ServerCall<?, ?> call, String problem) {
        complain("the log server has refused a client at %s, which %s"
                .formatted(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), problem));
    }

    /** Once a minute at most: a stranger must not fill the log. */
    private void complain(String problem) {
        long last = complainedAt.get();
        long now = System.nanoTime();
        if (now - last >= SILENCE && complainedAt.compareAndSet(last, now)) {
            complaints.accept(problem);
        }
    }
}
