package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Does the same as floor.c, where there is no C compiler: on a byte from one client, writes to each of the others. */
final class FloorServer {
    private static final int BACKLOG = 4096;

    private final ServerSocketChannel server;
    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocateDirect(64);
    private final ByteBuffer message = ByteBuffer.allocateDirect(FloorWire.MESSAGE_BYTES);

    private FloorServer() throws IOException {
        server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.configureBlocking(false);
        selector = Selector.open();
        server.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Takes no arguments; prints the port and serves until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        FloorServer floor = new FloorServer();
        Thread end = new Thread(FloorServer::exitAtEndOfInput, "input");
        end.setDaemon(true);
        end.start();
        System.out.println(floor.server.socket().getLocalPort());
        while (floor.server.isOpen()) {
            floor.selector.select(floor::react);
        }
    }

    private static void exitAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // standard input is silent
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            System.exit(0);
        }
    }

    private void react(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (isAsked((SocketChannel) key.channel())) {
                writeToAllBut(key);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() throws IOException {
        for (SocketChannel client = server.accept(); client != null; client = server.accept()) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_READ);
        }
    }

    private boolean isAsked(SocketChannel client) throws IOException {
        int bytes;
        try {
            bytes = client.read(in.clear());
        } catch (IOException cut) {
            bytes = -1;
        }
        if (bytes < 0) {
            client.close();
        }
        return bytes > 0;
    }

    private void writeToAllBut(SelectionKey asking) throws IOException {
        for (SelectionKey key : selector.keys()) {
            if (key != asking && key.channel() instanceof SocketChannel client) {
                client.write(message.clear());
            }
        }
    }
}
