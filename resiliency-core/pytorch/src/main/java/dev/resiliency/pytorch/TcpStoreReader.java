package dev.resiliency.pytorch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.resiliency.store.Value;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;

/** Reads the fields of requests of PyTorch's TCPStore: all numbers are little-endian. Confined to one thread. */
final class TcpStoreReader {
    private static final int MAX_KEY = 8 << 10;
    private static final int MAX_VALUE = 8 << 20;
    private static final int MAX_ENTRIES = 128 << 10;

    private final DataInputStream in;

    TcpStoreReader(InputStream in) {
        this.in = new DataInputStream(in);
    }

    /** Returns the code of the next request; -1 if the client has closed the connection. */
    int operation() throws IOException {
        return in.read();
    }

    /** Returns whether the client has sent something that has not been read. */
    boolean hasMore() throws IOException {
        return in.available() > 0;
    }

    int nonce() throws IOException {
        return in.readInt(); // returned as it came, whatever its order
    }

    long number() throws IOException {
        return Long.reverseBytes(in.readLong());
    }

    /** Returns the length of a list. */
    int count() throws IOException {
        return limited(MAX_ENTRIES, "entries");
    }

    /** Returns a key, each byte as one character: a key need not be valid UTF-8, and two keys must stay different. */
    String key() throws IOException {
        return new String(bytes(limited(MAX_KEY, "bytes of a key")), ISO_8859_1);
    }

    List<String> keys() throws IOException {
        int count = count();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(key());
        }
        return keys;
    }

    Value value() throws IOException {
        return Value.of(bytes(limited(MAX_VALUE, "bytes of a value")));
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    private int limited(int limit, String what) throws IOException {
        long number = number();
        if (number < 0 || number > limit) {
            throw new ProtocolException("%d %s exceed the limit of %d".formatted(number, what, limit));
        }
        return (int) number;
    }
}
