package dev.resiliency.examples.bench.state;

import dev.resiliency.inprocess.CallWrapper;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Sends bytes from active rank 0 to active rank 1 over one blocking socket, and nothing else: what the network carries. */
final class PlainSocket {
    private static final int PIECE = 256 << 10;
    private static final String PORT = "plain/port";
    /** Where the receiver puts the bytes, again and again: beyond the caches, as a state is. */
    private static final int SPACE = 64 << 20;

    private PlainSocket() {}

    /** Takes part in the transfer of this memory; returns the measurement on the rank that receives, else null. */
    static @Nullable StateMark run(CallWrapper call, ByteBuffer memory) throws IOException, InterruptedException {
        return switch (call.state().activeRank()) {
            case 0 -> {
                send(call, memory);
                yield null;
            }
            case 1 -> receive(call, memory.capacity());
            default -> null;
        };
    }

    private static void send(CallWrapper call, ByteBuffer memory) throws IOException, InterruptedException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            call.onAbort(server::close);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            call.store().set(PORT, Integer.toString(server.socket().getLocalPort()));
            try (SocketChannel client = server.accept()) {
                call.onAbort(client::close);
                for (int from = 0; from < memory.capacity(); from += PIECE) {
                    ByteBuffer piece = memory.slice(from, Math.min(PIECE, memory.capacity() - from));
                    while (piece.hasRemaining()) {
                        client.write(piece);
                    }
                }
            }
        }
    }

    private static StateMark receive(CallWrapper call, long bytes) throws IOException, InterruptedException {
        ByteBuffer space = ByteBuffer.allocateDirect((int) Math.min(SPACE, bytes));
        int port = Integer.parseInt(call.store().get(PORT).text());
        try (SocketChannel server = SocketChannel.open()) {
            call.onAbort(server::close);
            long start = System.nanoTime();
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            for (long received = 0; received < bytes; ) {
                if (!space.hasRemaining()) {
                    space.clear();
                }
                int count = server.read(space);
                if (count < 0) {
                    throw new EOFException("the sender has closed the connection");
                }
                received += count;
            }
            return new StateMark.Plain(bytes, System.nanoTime() - start);
        }
    }
}
