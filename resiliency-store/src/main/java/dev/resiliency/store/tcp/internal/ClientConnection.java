package dev.resiliency.store.tcp.internal;

import dev.resiliency.store.Operation;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.Loss;
import dev.resiliency.store.internal.Nanos;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a connection: the requests that wait for an answer, and the watches. Its event loop owns all
 * fields that are not final; what is asked on other threads enters through {@link #enter}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, and that shows
final class ClientConnection extends SimpleChannelInboundHandler<ByteBuf> {
    /** How much later than the server the client itself gives up waiting. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long CLOSE_SECONDS = 2;

    private final Endpoint endpoint;
    private final ClientHandshake handshake;
    private final EventLoop loop;
    private final FlushQueue flushes;
    private final Loss loss = new Loss();
    private final CompletableFuture<ClientConnection> welcome;
    private final Map<Long, Pending> pending = new HashMap<>();
    private final ClientWatches watches = new ClientWatches();
    private final Channel channel;
    private WireLimits limits = WireLimits.HANDSHAKE;
    private boolean isWelcome;
    private @Nullable Throwable cause;
    private long session; // set before welcome completes, and read after
    private long lastRequest = KeyspaceSession.ONE_WAY;

    /** Completes {@code welcome} with itself once the server has agreed to the connection. */
    ClientConnection(
            Endpoint endpoint,
            @Nullable SecretKey secret,
            Channel channel,
            CompletableFuture<ClientConnection> welcome) {
        this.endpoint = endpoint;
        this.handshake = new ClientHandshake(endpoint.address().scope(), secret);
        this.channel = channel;
        this.welcome = welcome;
        this.loop = channel.eventLoop();
        this.flushes = new FlushQueue(loop);
    }

    /** A request on its way, and the alarm in case that the server never answers. */
    private record Pending(Answer answer, Future<?> alarm) {}

    void onLost(Consumer<? super StoreException> listener) {
        loss.listen(listener);
    }

    /** The id that the server gave to the session. */
    long session() {
        return session;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        ByteBuf preface = channel.alloc().buffer(Frames.PREFACE_BYTES);
        PrefaceDecoder.write(preface);
        channel.write(preface);
        write(Frames.HELLO, 0, handshake::writeHello);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) throws RefusedException {
        if (loss.reason() != null) {
            return; // what the server sent before it knew of the goodbye
        }
        Frames.Header header = Frames.Header.read(frame);
        WireReader body = new WireReader(frame);
        if (isWelcome) {
            hear(header, body);
        } else {
            agree(header, body);
        }
    }

    private void agree(Frames.Header header, WireReader body) throws RefusedException {
        switch (header.type()) {
            case Frames.CHALLENGE -> {
                Value proof = handshake.prove(body.value());
                write(Frames.PROOF, 0, out -> out.value(proof));
            }
            case Frames.WELCOME -> {
                body.shortOf(); // the version: there is only one
                session = body.number();
                handshake.check(body.value());
                limits = WireLimits.ofClient(body.varint());
                channel.pipeline().get(FrameDecoder.class).endHandshake(limits);
                isWelcome = true;
                welcome.complete(this);
            }
            case Frames.REFUSED -> throw new RefusedException(body.byteOf(), body.text());
            default ->
                throw new ProtocolException(
                        "a frame of type %d stands where a welcome should".formatted(header.type()));
        }
    }

    private void hear(Frames.Header header, WireReader body) {
        switch (header.type()) {
            case Frames.REPLY -> {
                List<@Nullable Object> results = ResultCodec.readAll(body);
                settle(header.id(), answer -> answer.complete(results));
            }
            case Frames.FAILURE -> {
                StoreException failure = FailureCodec.read(body);
                settle(header.id(), answer -> answer.completeExceptionally(failure));
            }
            case Frames.PUSH -> watches.tell(header.id(), body);
            case Frames.EXPIRED -> {
                String message = body.text();
                lose(() -> new SessionExpiredException(message));
                channel.close();
            }
            default -> throw new ProtocolException("a server may not send frames of type " + header.type());
        }
    }

    CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        Answer answer = new Answer(loop);
        enter(() -> request(operations, timeout, answer), answer::completeExceptionally);
        return answer;
    }

    void send(List<? extends Operation<?>> operations) {
        enter(() -> writeRequest(KeyspaceSession.ONE_WAY, operations, Duration.ZERO), unreported -> {});
    }

    /** Runs the action on the event loop if the session is still open and the action possible, else says why not. */
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
                } catch (RuntimeException defect) {
                    otherwise.accept(new StoreException("the request could not be sent: " + defect, defect));
                }
            });
        } catch (RejectedExecutionException ended) {
            Supplier<? extends StoreException> lost = loss.reason();
            otherwise.accept(lost == null ? endpoint.lost(ended) : lost.get());
        }
    }

    private void request(List<? extends Operation<?>> operations, Duration timeout, Answer answer) {
        long request = ++lastRequest;
        writeRequest(request, operations, timeout);
        long patience = PATIENCE.toNanos();
        long delay = Math.min(Nanos.of(timeout), Long.MAX_VALUE - patience) + patience;
        Future<?> alarm = loop.schedule(() -> giveUp(request, timeout), delay, TimeUnit.NANOSECONDS);
        pending.put(request, new Pending(answer, alarm));
        answer.whenComplete((results, failure) -> {
            if (answer.isCancelled()) {
                enter(() -> withdraw(request), unreported -> {});
            }
        });
    }

    private void writeRequest(long request, List<? extends Operation<?>> operations, Duration timeout) {
        write(
                Frames.REQUEST,
                request,
                body -> OperationCodec.writeAll(
                        operations, body.duration(timeout).with(watches)));
    }

    private void giveUp(long request, Duration timeout) {
        settle(
                request,
                answer -> answer.completeExceptionally(new StoreTimeoutException(
                        "the store at %s did not answer within %s s"
                                .formatted(
                                        endpoint.address(),
                                        timeout.plus(PATIENCE).toMillis() / 1000.0),
                        timeout)));
    }

    private void withdraw(long request) {
        settle(request, alreadyCancelled -> {});
        write(Frames.CANCEL, request, nothing -> {});
    }

    /** Ends a request, if it has not been given up. */
    private void settle(long request, Consumer<Answer> end) {
        assert loop.inEventLoop();
        Pending settled = pending.remove(request);
        if (settled != null) {
            settled.alarm().cancel(false);
            end.accept(settled.answer());
        }
    }

    private void write(int type, long id, Consumer<WireWriter> body) {
        channel.write(Frames.frame(channel.alloc(), limits, type, id, body));
        flushes.add(channel);
    }

    /** Says goodbye and waits, for a limited time, until the server has taken note of it and closes the connection. */
    void close() {
        Supplier<StoreException> closed = () -> new StoreLostException(
                endpoint.address().toString(), "the store at " + endpoint.address() + " was closed", null);
        enter(
                () -> {
                    if (loss.goodbye(closed)) {
                        end(closed);
                        channel.writeAndFlush(Frames.frame(channel.alloc(), Frames.GOODBYE, 0));
                    }
                },
                alreadyEnded -> {});
        if (!loop.inEventLoop()) {
            channel.closeFuture().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
    }

    void abandon() {
        channel.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        if (cause == null) {
            cause = failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
        }
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Throwable how = cause;
        welcome.completeExceptionally(how == null ? new IOException("the server closed the connection") : how);
        lose(() -> endpoint.lost(how));
    }

    private void lose(Supplier<? extends StoreException> reason) {
        if (loss.lost(reason)) {
            end(reason);
            loss.tell();
        }
    }

    private void end(Supplier<? extends StoreException> reason) {
        assert loop.inEventLoop();
        for (long request : List.copyOf(pending.keySet())) {
            settle(request, answer -> answer.completeExceptionally(reason.get()));
        }
    }
}
