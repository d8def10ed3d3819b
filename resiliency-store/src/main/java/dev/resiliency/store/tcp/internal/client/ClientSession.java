package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.internal.Answer;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.SessionEnd;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.FailureCodec;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.ResultCodec;
import dev.resiliency.store.tcp.internal.wire.Unacknowledged;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a session: the pending requests, the watches, and what both sides have sent and received, so that
 * nothing is lost or done twice when {@link Reconnection} replaces the connection. Its event loop owns all fields that
 * are not final; requests from other threads enter through {@link #enter}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the last stage only passes a cancellation on
final class ClientSession {
    /** The most bytes that may wait to be sent while there is no connection. */
    private static final long MAX_WAITING_BYTES = 64 << 20;

    // How much may arrive before it is acknowledged: with a request that is sent anyway, or else in a frame of its own.
    private static final int FRAMES_TOLD_ALONG = 8;
    private static final int FRAMES_TOLD_ALONE = 32;
    private static final int BYTES_TOLD_ALONE = 4 << 10;

    private final Endpoint endpoint;
    private final EventLoop loop;
    private final Reconnection reconnection;
    private final boolean isKept;
    private final Operation.Renew renewal;
    private final WireLimits limits;
    private final SessionEnd loss = new SessionEnd();
    private final ClientRequests requests;
    private final ClientWatches watches = new ClientWatches();
    private final Unacknowledged sent = new Unacknowledged(Long.MAX_VALUE, Integer.MAX_VALUE);
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private long received;
    private long receivedTold;
    private long bytesNotTold;

    /**
     * Creates the client's end of the session that the server has opened with the connection; {@code grace} is zero if
     * the session ends with it.
     */
    ClientSession(Endpoint endpoint, Dialer dialer, ClientConnection first, Duration grace) {
        this.endpoint = endpoint;
        this.loop = dialer.eventLoop();
        this.requests = new ClientRequests(endpoint, loop);
        this.renewal =
                new Operation.Renew(first.greeting().session(), first.greeting().token());
        this.limits = first.greeting().limits();
        this.isKept = !grace.isZero();
        this.reconnection = new Reconnection(endpoint, dialer, first, grace, this);
        if (isKept) {
            first.writeAlong(Frames.KEEP, 0, body -> body.duration(grace));
        }
    }

    void onLost(Consumer<? super StoreException> listener) {
        loss.listen(listener);
    }

    long id() {
        return renewal.session();
    }

    /** Returns the operation with which other sessions renew the lease of this one. */
    Operation.Renew renewal() {
        return renewal;
    }

    // --- requests

    CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        Answer answer = new Answer(loop::inEventLoop);
        enter(() -> request(operations, timeout, answer), answer::completeExceptionally);
        return answer;
    }

    void send(List<? extends Operation<?>> operations) {
        enter(() -> sendOneWay(operations), unreported -> {});
    }

    /**
     * Runs the action on the event loop if the session is still open and the action succeeds; otherwise reports why
     * not.
     */
    private void enter(Runnable action, Consumer<StoreException> otherwise) {
        try {
            loop.execute(() -> {
                Supplier<? extends StoreException> lost = loss.reason();
                if (lost != null) {
                    otherwise.accept(lost.get());
                    return;
                }
                try {
                    action.run();
                } catch (StoreException refused) {
                    otherwise.accept(refused);
                } catch (Throwable defect) { // an Error, too, such as a lack of memory: nothing else would answer
                    otherwise.accept(new StoreException("the request could not be sent: " + defect, defect));
                }
            });
        } catch (RejectedExecutionException ended) {
            Supplier<? extends StoreException> lost = loss.reason();
            otherwise.accept(lost == null ? endpoint.lost(ended) : lost.get());
        }
    }

    private void request(List<? extends Operation<?>> operations, Duration timeout, Answer answer) {
        long request = requests.nextId();
        long position = sendRequest(request, operations, timeout);
        requests.add(request, answer, position, watches.asked(operations), timeout);
        watchSilence();
        answer.whenComplete((results, failure) -> {
            if (answer.isCancelled()) {
                enter(() -> withdraw(request), unreported -> {});
            }
        });
    }

    private void withdraw(long request) {
        requests.settle(request, alreadyCancelled -> {});
        send(Frames.CANCEL, request, nothing -> {});
    }

    private void sendOneWay(List<? extends Operation<?>> operations) {
        sendRequest(KeyspaceSession.ONE_WAY, operations, Duration.ZERO);
        watches.ran(operations.size(), watches.asked(operations)); // no answer will say whether they have
        watchSilence();
    }

    private void watchSilence() {
        if (isWaiting()) {
            reconnection.watchSilence();
        }
    }

    private long sendRequest(long request, List<? extends Operation<?>> operations, Duration timeout) {
        for (Operation<?> operation : operations) {
            if (operation instanceof Operation.Lease lease) {
                reconnection.outlast(lease.duration());
            }
        }
        return send(
                Frames.REQUEST,
                request,
                body -> OperationCodec.writeAll(
                        operations, body.duration(timeout).with(watches)));
    }

    /** Sends a frame of the session, now or once there is a connection again; returns its position. */
    private long send(int type, long id, Consumer<WireWriter> body) {
        ClientConnection connection = reconnection.connection();
        if (connection == null && sent.bytes() > MAX_WAITING_BYTES) {
            throw new StoreException("no connection to the store at %s, and more than %d bytes are waiting for one"
                    .formatted(endpoint.address(), MAX_WAITING_BYTES));
        }
        ByteBuf frame = Frames.frame(ByteBufAllocator.DEFAULT, limits, type, id, body);
        long position = isKept ? sent.add(frame) : 0;
        if (connection == null) {
            frame.release();
        } else {
            if (isKept && received - receivedTold >= FRAMES_TOLD_ALONG) {
                tellReceived(connection);
            }
            connection.write(frame);
        }
        return position;
    }

    // --- frames of the server

    /** Handles a frame that the server sent over the session's current connection. */
    void hear(ClientConnection connection, Frames.Header header, WireReader body, int bytes) {
        if (loss.reason() != null) {
            return; // sent before the server received the goodbye
        }
        switch (header.type()) {
            case Frames.REPLY -> {
                count(connection, bytes);
                List<@Nullable Object> results = ResultCodec.readAll(body);
                settle(header.id(), answered -> {
                    watches.ran(results.size(), answered.endings());
                    answered.answer().complete(results);
                });
            }
            case Frames.FAILURE -> {
                count(connection, bytes);
                StoreException failure = FailureCodec.read(body);
                settle(header.id(), failed -> failed.answer().completeExceptionally(failure));
            }
            case Frames.PUSH -> {
                count(connection, bytes);
                watches.tell(header.id(), body);
            }
            case Frames.PONG -> sent.acknowledge(header.id());
            case Frames.PROBE -> {
                reconnection.probed();
                tellReceived(connection);
            }
            case Frames.EXPIRED -> expire(body.text());
            case Frames.CLOSING -> lose(() -> endpoint.lost(null));
            default -> throw new ProtocolException("a server may not send frames of type " + header.type());
        }
    }

    private void count(ClientConnection connection, int bytes) {
        received++;
        bytesNotTold += bytes;
        if (isKept && (received - receivedTold >= FRAMES_TOLD_ALONE || bytesNotTold >= BYTES_TOLD_ALONE)) {
            tellReceived(connection);
        }
    }

    private void tellReceived(ClientConnection connection) {
        receivedTold = received;
        bytesNotTold = 0;
        connection.write(Frames.RECEIVED, isKept ? received : 0, nothing -> {}); // otherwise the server keeps nothing
    }

    /** An answer acknowledges its request and everything sent before it. */
    private void settle(long request, Consumer<ClientRequests.Pending> end) {
        sent.acknowledge(requests.settle(request, end));
    }

    // --- the connection

    /** Returns whether the server owes a sign of life. */
    boolean isWaiting() {
        return requests.areDue() || sent.count() >= FRAMES_TOLD_ALONE;
    }

    /** Returns the number of frames that have arrived. */
    long received() {
        return received;
    }

    /** Continues over another connection; the server has received this many of its frames. */
    void resumed(ClientConnection connection, long position) {
        receivedTold = received;
        bytesNotTold = 0;
        sent.acknowledge(position);
        sent.resend(connection::write);
        watchSilence();
    }

    void expire(String message) {
        lose(() -> new SessionExpiredException(message));
    }

    /** Ends the session without a goodbye; does nothing if it has ended. */
    void lose(Supplier<? extends StoreException> reason) {
        boolean isNews = loss.lost(reason);
        release();
        if (isNews) {
            requests.fail(reason);
            loss.tell();
        }
    }

    /** Ends the session and the connection, as the kernel does when a process dies. */
    void abandon() {
        lose(() -> endpoint.lost(null));
    }

    /** Says goodbye. The future completes when the server has acknowledged it or is unreachable. */
    CompletableFuture<Void> close() {
        Supplier<StoreException> closed = () -> new StoreLostException(
                endpoint.address().toString(), "the store at " + endpoint.address() + " was closed", null);
        enter(
                () -> {
                    if (loss.goodbye(closed)) {
                        requests.fail(closed);
                        send(Frames.GOODBYE, 0, nothing -> {});
                        reconnection.flush(); // the event loop may be about to end
                    }
                },
                alreadyEnded -> {});
        return over;
    }

    /** Returns whether only the goodbye is still to be delivered. */
    boolean isClosing() {
        return loss.reason() != null;
    }

    /** Releases everything, at the latest before the event loop ends. */
    void release() {
        assert loop.inEventLoop();
        reconnection.end();
        sent.clear();
        over.complete(null);
    }
}
