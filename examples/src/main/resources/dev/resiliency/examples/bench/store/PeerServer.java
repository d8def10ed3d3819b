import java.io.IOException;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;

/** The process of PyTorch's server: prints its port and serves until its standard input ends. Started from this source. */
final class PeerServer {
    public static void main(String[] arguments) throws IOException {
        TCPStoreOptions options = new TCPStoreOptions();
        options.port((short) 0);
        options.isServer(true);
        options.waitWorkers(false);
        options.useLibUV(true);
        try (TCPStore store = new TCPStore("127.0.0.1", options)) {
            System.out.println(store.getPort() & 0xFFFF);
            while (System.in.read() >= 0) {
                // nothing is said there
            }
        }
    }
}
