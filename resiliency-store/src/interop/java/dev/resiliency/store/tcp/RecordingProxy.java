package dev.resiliency.store.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;

/** Stands between one client and its server, and keeps what they say to each other. */
final class RecordingProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ByteArrayOutputStream requests = new ByteArrayOutputStream(); // its monitor guards it, as of answers
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

    /** What was asked and answered since the last call. */
    Recording take() {
        return new Recording(take(requests), take(answers));
    }

    /** In hexadecimal digits. */
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
