package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.spi.StoreLimit;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long a client may take to complete a frame, or to read what it is sent. While too much is unread, reading
 * from it is switched off, and the decoder holds back what has arrived. The event loop owns it.
 */
public final class SlowPeerHandler extends ChannelInboundHandlerAdapter {
    static final int SECONDS = 30;
    private static final long SECONDS_IN_NANOS = TimeUnit.SECONDS.toNanos(SECONDS);

    private final Framing decoder;
    private @Nullable Future<?> frameAlarm;
    private @Nullable Future<?> unreadAlarm;
    private long marksAtAlarm;

    public SlowPeerHandler(Framing decoder) {
        this.decoder = decoder;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (decoder.isAmidFrame() && frameAlarm == null) {
            watchFrame(context);
        }
        context.fireChannelReadComplete();
    }

    private void watchFrame(ChannelHandlerContext context) {
        marksAtAlarm = decoder.marks();
        frameAlarm = context.executor().schedule(() -> checkFrame(context), SECONDS, TimeUnit.SECONDS);
    }

    private void checkFrame(ChannelHandlerContext context) {
        frameAlarm = null;
        if (!decoder.isAmidFrame()) {
            return;
        }
        // A later frame, or one whose rest this server itself does not read, still has time.
        if (decoder.marks() != marksAtAlarm || !context.channel().config().isAutoRead()) {
            watchFrame(context);
            return;
        }
        context.pipeline()
                .fireExceptionCaught(new ProtocolException(
                        "it began a frame and did not complete it within %d s".formatted(SECONDS)));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof Outbox outbox)) {
            context.fireUserEventTriggered(event);
            return;
        }
        cancel(unreadAlarm);
        if (outbox.isOver()) {
            decoder.hold(context.channel(), Framing.Hold.UNREAD);
            watchUnread(context, outbox, SECONDS_IN_NANOS);
        } else {
            unreadAlarm = null;
            // Deferred: it delivers the next request, and the keyspace may be in the middle of a step.
            context.executor().execute(() -> release(context, outbox));
        }
    }

    private void release(ChannelHandlerContext context, Outbox outbox) {
        if (!outbox.isOver()) {
            decoder.release(context.pipeline().context(decoder), Framing.Hold.UNREAD);
        }
    }

    private void watchUnread(ChannelHandlerContext context, Outbox outbox, long nanos) {
        unreadAlarm = context.executor().schedule(() -> checkUnread(context, outbox), nanos, TimeUnit.NANOSECONDS);
    }

    private void checkUnread(ChannelHandlerContext context, Outbox outbox) {
        long left = SECONDS_IN_NANOS - outbox.stalledNanos();
        if (left > 0) {
            watchUnread(context, outbox, left); // it reads, however slowly
            return;
        }
        context.pipeline()
                .fireExceptionCaught(new ProtocolException(
                        "it has not read for %d s, and more than %d bytes are buffered for it (%s)"
                                .formatted(SECONDS, outbox.maxUnread(), StoreLimit.UNWRITTEN_BYTES)));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel(frameAlarm);
        cancel(unreadAlarm);
        context.fireChannelInactive();
    }

    private static void cancel(@Nullable Future<?> alarm) {
        if (alarm != null) {
            alarm.cancel(false);
        }
    }
}
