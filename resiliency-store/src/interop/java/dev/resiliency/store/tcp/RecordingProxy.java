package dev.resiliency.store.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;

/** A proxy between one client and its server that records their conversation. */
final class RecordingProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    /** Guarded by its monitor, as are the answers. */
    private final ByteArrayOutputStream requests = new ByteArrayOutputStream();
    private final ByteArrayOutputStream answers = new ByteArrayOutputStream();

    RecordingProxy(int serverPort) throws IOException {
        pump(() -> {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            pump(() -> copy(server.getInputStream(), client.getOutputStream(), answers));
            copy(client.getInputStream(), server.getOutputStream(), requests);
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Returns the requests and answers since the last call. */
    Recording take() {
        return new Recording(take(requests), take(answers));
    }

    /** Requests and answers in hexadecimal digits. */
    record Recording(String requests, String answers) {}

    private static String take(ByteArrayOutputStream recorded) {
        synchronized (recorded) {
            String hex = HexFormat.of().formatHex(recorded.toByteArray());
            recorded.reset();
            return hex;
        }
    }

    private static void copy(InputStream in, OutputStream out, ByteArrayOutputStream recorded) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            synchronized (recorded) {
                recorded.write(buffer, 0, read);
            }
            out.write(buffer, 0, read);
        }
    }

    private interface Copying {
        void run() throws IOException;
    }

    private static void pump(Copying copying) {
        Thread thread = new Thread(() -> {
            try {
                copying.run();
            } catch (IOException closed) {
                // the end of the test
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
