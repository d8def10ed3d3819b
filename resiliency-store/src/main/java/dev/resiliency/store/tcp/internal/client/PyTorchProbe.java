package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.Value;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchMessage;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchOperation;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Asks a server that has not answered a client of ours whether it is one of PyTorch's TCPStore, which says nothing to a
 * protocol that it does not know. The client's event loop owns it.
 *
 * <p>A server of ours may speak PyTorch's protocol, too, and may only have been too busy to answer. A COMPARE_SET of an
 * absent key tells the two apart: PyTorch's server answers with the expected value, ours with an empty one.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // nobody needs to know when it has closed, or whether the timer was needed
final class PyTorchProbe extends ByteToMessageDecoder {
    private static final int LIMIT_MILLIS = 1_000;
    private static final Value EXPECTED = Value.of("expected");
    private static final PyTorchMessage VALIDATE = PyTorchMessage.of(PyTorchOperation.VALIDATE, PyTorchOperation.MAGIC);
    private static final PyTorchMessage PING = PyTorchMessage.of(PyTorchOperation.PING, PyTorchOperation.PROBE);
    private static final PyTorchMessage COMPARE_SET =
            PyTorchMessage.of(PyTorchOperation.COMPARE_SET, "/resiliency/no such key", EXPECTED, EXPECTED);

    private final CompletableFuture<Boolean> verdict;

    private PyTorchProbe(CompletableFuture<Boolean> verdict) {
        this.verdict = verdict;
    }

    /** Asks over a connection of its own; completes on the event loop within a second, with false if nothing answers. */
    static CompletableFuture<Boolean> ask(SocketAddress server, Transport transport, Loop loop) {
        CompletableFuture<Boolean> verdict = new CompletableFuture<>();
        ChannelFuture connected = new Bootstrap()
                .group(loop.eventLoop())
                .disableResolver() // it would listen to the event loop's termination: see Loop
                .channel(transport.channel())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, LIMIT_MILLIS)
                .handler(new PyTorchProbe(verdict))
                .connect(server);
        loop.eventLoop().schedule(() -> verdict.complete(false), LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        verdict.thenRun(() -> {
            if (connected.channel().isRegistered()) {
                connected.channel().close();
            }
        });
        return verdict;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        // In one write: PyTorch's server closes a connection whose opening arrives in two pieces.
        ByteBuf request = context.alloc().buffer();
        VALIDATE.write(request);
        PING.write(request);
        COMPARE_SET.write(request);
        context.writeAndFlush(request);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        ByteBuf answer = Unpooled.buffer().writeIntLE((int) PyTorchOperation.PROBE);
        PyTorchMessage.writeValue(EXPECTED, answer);
        if (in.readableBytes() >= answer.readableBytes()) {
            verdict.complete(in.readSlice(answer.readableBytes()).equals(answer));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        context.close();
    }

    /** Called at the end of a connection, also of one that could not be made. */
    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        verdict.complete(false);
    }
}
