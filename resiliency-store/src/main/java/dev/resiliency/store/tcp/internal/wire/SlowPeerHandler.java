package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Store;
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

    private final Framing decoder;
    private @Nullable Future<?> frameAlarm;
    private @Nullable Future<?> unreadAlarm;
    private long framesAtAlarm;

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
        framesAtAlarm = decoder.frames();
        frameAlarm = context.executor().schedule(() -> checkFrame(context), SECONDS, TimeUnit.SECONDS);
    }

    private void checkFrame(ChannelHandlerContext context) {
        frameAlarm = null;
        if (!decoder.isAmidFrame()) {
            return;
        }
        // A later frame, or one whose rest this server itself does not read, still has time.
        if (decoder.frames() != framesAtAlarm || !context.channel().config().isAutoRead()) {
            watchFrame(context);
            return;
        }
        context.pipeline()
                .fireExceptionCaught(new ProtocolException(
                        "it began a frame and did not complete it within %d s".formatted(SECONDS)));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            cancel(unreadAlarm);
            unreadAlarm = null;
            // Deferred: it delivers the next request, and the keyspace may be in the middle of a step.
            context.executor().execute(() -> decoder.resume(context.pipeline().context(decoder)));
        } else {
            context.channel().config().setAutoRead(false);
            cancel(unreadAlarm);
            unreadAlarm = context.executor().schedule(() -> checkUnread(context), SECONDS, TimeUnit.SECONDS);
        }
        context.fireChannelWritabilityChanged();
    }

    private void checkUnread(ChannelHandlerContext context) {
        context.pipeline()
                .fireExceptionCaught(new ProtocolException(
                        "it has not read for %d s, and more than %d bytes are buffered for it (%s)"
                                .formatted(
                                        SECONDS,
                                        context.channel().config().getWriteBufferHighWaterMark(),
                                        Store.Limit.UNWRITTEN_BYTES)));
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
