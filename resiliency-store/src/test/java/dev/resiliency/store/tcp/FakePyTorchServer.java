package dev.resiliency.store.tcp;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Does what PyTorch's server does when a client of ours connects: it says nothing, or closes the connection in the version
 * without libuv. To what our client then asks in PyTorch's protocol it answers as a store without keys.
 */
public final class FakePyTorchServer implements AutoCloseable {
    private static final int VALIDATE = 0;

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final boolean usesLibUv;

    private FakePyTorchServer(boolean usesLibUv) throws IOException {
        this.usesLibUv = usesLibUv;
    }

    public static FakePyTorchServer start(boolean usesLibUv) throws IOException {
        FakePyTorchServer server = new FakePyTorchServer(usesLibUv);
        onThread(server::acceptAll);
        return server;
    }

    public int port() {
        return socket.getLocalPort();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void onThread(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException ended) {
                // by the client, or by the end of the test
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll() throws IOException {
        while (true) {
            Socket client = socket.accept();
            onThread(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            if (in.read() == VALIDATE) {
                converse(in, new DataOutputStream(client.getOutputStream()));
            } else if (usesLibUv) {
                in.readAllBytes();
            }
        }
    }

    /** Answers a PING and a COMPARE_SET, of a key that is absent, after the number of VALIDATE. */
    private static void converse(DataInputStream in, DataOutputStream out) throws IOException {
        in.readInt();
        in.readByte();
        out.writeInt(in.readInt());
        in.readByte();
        readBytes(in);
        byte[] expected = readBytes(in);
        readBytes(in);
        out.writeLong(Long.reverseBytes(expected.length));
        out.write(expected);
        in.readAllBytes();
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes((int) Long.reverseBytes(in.readLong()));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
