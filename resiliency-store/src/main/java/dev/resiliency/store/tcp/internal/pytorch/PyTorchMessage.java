package dev.resiliency.store.tcp.internal.pytorch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.Value;
import dev.resiliency.store.tcp.internal.wire.LargeFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request on PyTorch's wire.
 *
 * @param arguments its fields, with those of the entries of a list one after the other: strings, values and longs
 */
public record PyTorchMessage(PyTorchOperation operation, List<Object> arguments) {

    public static PyTorchMessage of(PyTorchOperation operation, Object... arguments) {
        return new PyTorchMessage(operation, List.of(arguments));
    }

    public String key() {
        return (String) arguments.get(0);
    }

    public List<String> keys() {
        return arguments.stream().map(String.class::cast).toList();
    }

    public Value value(int index) {
        return (Value) arguments.get(index);
    }

    public long number(int index) {
        return (Long) arguments.get(index);
    }

    /** Returns the entries of a list of keys and values; the last value of a key wins. */
    public Map<String, Value> values() {
        Map<String, Value> values = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            values.put((String) arguments.get(i), value(i + 1));
        }
        return values;
    }

    public void write(ByteBuf out) {
        out.writeByte(operation.code());
        int fields = operation.fields().size();
        if (operation.isList()) {
            out.writeLongLE(arguments.size() / fields);
        }
        for (int i = 0; i < arguments.size(); i++) {
            switch (operation.fields().get(i % fields)) {
                case KEY -> writeKey((String) arguments.get(i), out);
                case VALUE -> writeValue(value(i), out);
                case NUMBER -> out.writeLongLE(number(i));
                case NONCE -> out.writeIntLE((int) number(i));
            }
        }
    }

    public static void writeKey(String key, ByteBuf out) {
        writeBytes(key.getBytes(UTF_8), out);
    }

    /** Returns a large value on the wire, without a copy of its bytes. */
    public static ByteBuf ofLarge(Value value) {
        return LargeFrame.of(Unpooled.buffer(Long.BYTES).writeLongLE(value.size()), value);
    }

    public static void writeValue(Value value, ByteBuf out) {
        writeBytes(value.bytes(), out);
    }

    private static void writeBytes(byte[] bytes, ByteBuf out) {
        out.writeLongLE(bytes.length).writeBytes(bytes);
    }
}
