package dev.resiliency.store.tcp.internal.pytorch;

import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requests of PyTorch's TCPStore clients. A message is the code u8 and the fields, without a frame around them; all
 * numbers are little-endian. A list begins with the number of its entries i64, and each entry has these fields.
 *
 * <pre>
 *     operation    fields                    answer
 *  0  VALIDATE     u32 0x3C85F7CE            -
 *  1  SET          key, value                -
 *  2  COMPARE_SET  key, expected, desired    value
 *  3  GET          key                       value; none if absent
 *  4  ADD          key, i64                  i64
 *  5  CHECK        list of keys              u8: 0 all exist, 1 not
 *  6  WAIT         list of keys              u8 0, once all exist
 *  7  KEY_COUNT    -                         i64
 *  8  DELETE       key                       i64
 *  9  APPEND       key, value                -
 * 10  MULTI_GET    list of keys              values, without their number
 * 11  MULTI_SET    list of key, value        -
 * 12  CANCEL_WAIT  -                         u8 1
 * 13  PING         u32                       the same
 * 14  QUEUE_PUSH   key, value                -
 * 15  QUEUE_POP    key                       i64 length before, and a value if it was not 0
 * 16  QUEUE_LENGTH key                       i64
 * 17  LIST_KEYS    -                         i64 number, keys
 * 18  BARRIER      key, i64 world size       u8 0, once so many have come
 * </pre>
 *
 * <p>Keys and values are u64 lengths and bytes. A client opens with VALIDATE and PING. It waits for each answer before
 * it sends the next request, except after WAIT and BARRIER: CANCEL_WAIT ends these, and its answer may follow theirs.
 */
public enum PyTorchOperation {
    VALIDATE(0, Field.NONCE),
    SET(1, Field.KEY, Field.VALUE),
    COMPARE_SET(2, Field.KEY, Field.VALUE, Field.VALUE),
    GET(3, Field.KEY),
    ADD(4, Field.KEY, Field.NUMBER),
    CHECK(5, true, Field.KEY),
    WAIT(6, true, Field.KEY),
    KEY_COUNT(7),
    DELETE(8, Field.KEY),
    APPEND(9, Field.KEY, Field.VALUE),
    MULTI_GET(10, true, Field.KEY),
    MULTI_SET(11, true, Field.KEY, Field.VALUE),
    CANCEL_WAIT(12),
    PING(13, Field.NONCE),
    QUEUE_PUSH(14, Field.KEY, Field.VALUE),
    QUEUE_POP(15, Field.KEY),
    QUEUE_LENGTH(16, Field.KEY),
    LIST_KEYS(17),
    BARRIER(18, Field.KEY, Field.NUMBER);

    /** The kinds of fields. */
    enum Field {
        /** A string. */
        KEY,
        /** A {@link dev.resiliency.store.Value}. */
        VALUE,
        /** A long of 8 bytes. */
        NUMBER,
        /** A long of 4 bytes. */
        NONCE
    }

    /** The number that VALIDATE carries. */
    public static final long MAGIC = 0x3C85F7CEL;
    /** The number that the PING of a client of ours carries, which asks whether a server is PyTorch's. */
    public static final long PROBE = 0x7EAF;

    private static final Map<Integer, PyTorchOperation> BY_CODE =
            Stream.of(values()).collect(Collectors.toMap(PyTorchOperation::code, Function.identity()));

    private final int code;
    private final boolean isList;

    @SuppressWarnings("ImmutableEnumChecker") // an immutable list
    private final List<Field> fields;

    PyTorchOperation(int code, Field... fields) {
        this(code, false, fields);
    }

    PyTorchOperation(int code, boolean isList, Field... fields) {
        this.code = code;
        this.isList = isList;
        this.fields = List.of(fields);
    }

    static PyTorchOperation of(int code) {
        PyTorchOperation operation = BY_CODE.get(code);
        if (operation == null) {
            throw new ProtocolException("unknown operation %d on PyTorch's wire".formatted(code));
        }
        return operation;
    }

    public int code() {
        return code;
    }

    /** Returns whether the fields may occur any number of times. */
    boolean isList() {
        return isList;
    }

    List<Field> fields() {
        return fields;
    }
}
