package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the results of operations, and changes: a code u8, followed by the fields below. A change omits its key: the
 * client knows which one it watches, or receives it separately.
 *
 * <pre>
 * result                            change
 *  0  nothing                        1  written  value
 *  1  truth     flag                 2  joined   index set
 *  2  number    i64                  3  deleted
 *  3  value     value
 *  4  text      text
 *  5  members   index set
 *  6  list      count varint, results
 * </pre>
 */
public final class ResultCodec {
    private static final int NOTHING = 0;
    private static final int TRUTH = 1;
    private static final int NUMBER = 2;
    private static final int VALUE = 3;
    private static final int TEXT = 4;
    private static final int MEMBERS = 5;
    private static final int LIST = 6;

    private static final int WRITTEN = 1;
    private static final int JOINED = 2;
    private static final int DELETED = 3;

    private ResultCodec() {}

    public static void writeAll(List<?> results, WireWriter out) {
        out.list(results, result -> write(result, out));
    }

    private static void write(@Nullable Object result, WireWriter out) {
        if (result == null) {
            out.byteOf(NOTHING);
        } else if (result instanceof Boolean truth) {
            out.byteOf(TRUTH).flag(truth);
        } else if (result instanceof Long number) {
            out.byteOf(NUMBER).number(number);
        } else if (result instanceof Value value) {
            out.byteOf(VALUE).value(value);
        } else if (result instanceof String text) {
            out.byteOf(TEXT).text(text);
        } else if (result instanceof IndexSet members) {
            out.byteOf(MEMBERS).indexSet(members);
        } else {
            writeAll((List<?>) result, out.byteOf(LIST));
        }
    }

    public static List<@Nullable Object> readAll(WireReader in) {
        return in.nested(ResultCodec::readList);
    }

    private static List<@Nullable Object> readList(WireReader in) {
        int size = in.listSize();
        List<@Nullable Object> results = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            results.add(read(in));
        }
        return results;
    }

    private static @Nullable Object read(WireReader in) {
        int code = in.byteOf();
        return switch (code) {
            case NOTHING -> null;
            case TRUTH -> in.flag();
            case NUMBER -> in.number();
            case VALUE -> in.value();
            case TEXT -> in.text();
            case MEMBERS -> in.indexSet();
            case LIST -> readAll(in);
            default -> throw new ProtocolException("unknown result " + code);
        };
    }

    public static void writeChange(Change change, WireWriter out) {
        if (change instanceof Change.Written written) {
            out.byteOf(WRITTEN).value(written.value());
        } else if (change instanceof Change.Joined joined) {
            out.byteOf(JOINED).indexSet(joined.members());
        } else {
            out.byteOf(DELETED);
        }
    }

    public static Change readChange(String key, WireReader in) {
        int code = in.byteOf();
        return switch (code) {
            case WRITTEN -> new Change.Written(key, in.value());
            case JOINED -> new Change.Joined(key, in.indexSet());
            case DELETED -> new Change.Deleted(key);
            default -> throw new ProtocolException("unknown change " + code);
        };
    }
}
