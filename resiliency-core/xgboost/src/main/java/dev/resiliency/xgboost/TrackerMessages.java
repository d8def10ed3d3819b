package dev.resiliency.xgboost;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * The messages between a worker of XGBoost and its tracker, in the byte order of the host:
 *
 * <pre>
 * at first, both   0xff99 (int)
 * then             length (int), JSON in UTF-8
 * </pre>
 */
final class TrackerMessages {
    private static final int MAGIC = 0xff99;
    /** Larger ones would be texts to be printed. */
    private static final int MAX_BYTES = 16 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final DataInputStream in;
    private final OutputStream out;

    TrackerMessages(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = out;
    }

    /** Exchanges the number that both sides begin with. */
    void open() throws IOException {
        out.write(bytes(MAGIC));
        if (readInt() != MAGIC) {
            throw new ProtocolException("it is no worker of XGBoost");
        }
    }

    JsonNode read() throws IOException {
        int length = readInt();
        if (length < 0 || length > MAX_BYTES) {
            throw new ProtocolException("a message of " + length + " bytes");
        }
        byte[] text = in.readNBytes(length);
        if (text.length < length) {
            throw new EOFException("the worker has closed the connection");
        }
        return JSON.readTree(new String(text, UTF_8));
    }

    /** Returns a number of a message. */
    static int number(JsonNode message, String field) throws IOException {
        JsonNode value = message.get(field);
        if (value == null || !value.canConvertToInt()) {
            throw new ProtocolException("a message without the number '" + field + "'");
        }
        return value.intValue();
    }

    void write(Map<String, Object> message) throws IOException {
        byte[] text = JSON.writeValueAsBytes(message);
        out.write(bytes(text.length));
        out.write(text);
        out.flush();
    }

    private int readInt() throws IOException {
        byte[] bytes = new byte[Integer.BYTES];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(number)
                .array();
    }
}
