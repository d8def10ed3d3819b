package dev.resiliency.store.tcp;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Healthy clients, of which a test can have hundreds on one thread: each has a lease, answers the store's probes, waits
 * for a value, and keeps nothing of it.
 */
final class WaitingClients implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int LEASED = 1;
    private static final int GET = 2;
    private static final int HEADER_BYTES = Integer.BYTES + Byte.BYTES + Long.BYTES;

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<Client> clients = new ArrayList<>();

    /** Connects clients, and lets them wait for a key. */
    WaitingClients(int count, int port, @Nullable SslContext tls, String key) throws Exception {
        for (int i = 0; i < count; i++) {
            Client client = new Client(key);
            clients.add(client);
            new Bootstrap()
                    .group(loop)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            if (tls != null) {
                                channel.pipeline().addLast(tls.newHandler(channel.alloc(), "127.0.0.1", port));
                            }
                            channel.pipeline().addLast(client);
                        }
                    })
                    .connect("127.0.0.1", port)
                    .sync();
            client.waits.get();
        }
    }

    /** Returns how many bytes each got, once all have; fails if the store ended one of their sessions before. */
    List<Integer> bytes() throws Exception {
        List<Integer> bytes = new ArrayList<>();
        for (Client client : clients) {
            bytes.add(client.bytes.get());
        }
        return bytes;
    }

    @Override
    public void close() {
        loop.shutdownGracefully().syncUninterruptibly();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, and that shows
    private static final class Client extends SimpleChannelInboundHandler<ByteBuf> {
        private final String key;
        private final CompletableFuture<Void> waits = new CompletableFuture<>();
        private final CompletableFuture<Integer> bytes = new CompletableFuture<>();
        private final ByteBuf header = Unpooled.buffer(HEADER_BYTES);
        private int left; // of the frame
        private int size;
        private boolean isAnswer;

        Client(String key) {
            this.key = key;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ByteBuf preface = context.alloc().buffer();
            Frames.writePreface(preface);
            context.write(preface);
            context.write(Frames.frame(
                    context.alloc(), Frames.HELLO, 0, body -> body.text("").value(Value.empty())));
            context.write(request(context, LEASED, new Operation.Lease(LEASE)));
            context.writeAndFlush(request(context, GET, new Operation.Get(key)));
        }

        private static ByteBuf request(ChannelHandlerContext context, long id, Operation<?> operation) {
            return Frames.frame(
                    context.alloc(),
                    Frames.REQUEST,
                    id,
                    body -> OperationCodec.writeAll(List.of(operation), body.duration(LIMIT)));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf in) {
            while (in.isReadable()) {
                if (left == 0) {
                    header.writeBytes(in, Math.min(in.readableBytes(), header.writableBytes()));
                    if (header.writableBytes() > 0) {
                        return;
                    }
                    begin(context);
                }
                int skipped = Math.min(left, in.readableBytes());
                in.skipBytes(skipped);
                left -= skipped;
                if (left == 0 && isAnswer) {
                    bytes.complete(size);
                }
            }
        }

        private void begin(ChannelHandlerContext context) {
            size = header.readInt() - Byte.BYTES - Long.BYTES;
            left = size;
            int type = header.readUnsignedByte();
            long id = header.readLong();
            header.clear();
            isAnswer = type == Frames.REPLY && id == GET;
            if (type == Frames.PROBE) {
                context.writeAndFlush(Frames.frame(context.alloc(), Frames.RECEIVED, 0));
            } else if (type == Frames.REPLY && id == LEASED) {
                waits.complete(null);
            } else if (type == Frames.EXPIRED) {
                context.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            exceptionCaught(context, new IOException("the store took it for dead"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            waits.completeExceptionally(cause);
            bytes.completeExceptionally(cause);
            context.close();
        }
    }
}
