package dev.resiliency.pytorch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.resiliency.store.Value;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the answers that a client of PyTorch's TCPStore expects. Confined to one thread. */
final class TcpStoreWriter {
    private final DataOutputStream out;

    TcpStoreWriter(OutputStream out) {
        this.out = new DataOutputStream(new BufferedOutputStream(out));
    }

    void code(int code) throws IOException {
        out.writeByte(code);
    }

    void nonce(int nonce) throws IOException {
        out.writeInt(nonce);
    }

    void number(long number) throws IOException {
        out.writeLong(Long.reverseBytes(number));
    }

    void key(String key) throws IOException {
        bytes(key.getBytes(ISO_8859_1));
    }

    void value(Value value) throws IOException {
        bytes(value.bytes());
    }

    private void bytes(byte[] bytes) throws IOException {
        number(bytes.length);
        out.write(bytes);
    }

    void flush() throws IOException {
        out.flush();
    }
}
