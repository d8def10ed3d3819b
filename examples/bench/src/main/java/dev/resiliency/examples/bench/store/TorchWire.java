package dev.resiliency.examples.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The protocol of PyTorch's server. The barriers are those that nvidia-resiliency-ext builds from its operations: the plain
 * one counts arrivals, the other one keeps a list of them, which each participant reads.
 */
final class TorchWire implements StoreWire {
    private static final int VALIDATE = 0;
    private static final int SET = 1;
    private static final int GET = 3;
    private static final int ADD = 4;
    private static final int WAIT = 6;
    private static final int APPEND = 9;
    private static final int PING = 13;

    private static final int MAGIC = 0x3C85F7CE;
    private static final int MAX_REQUEST_BYTES = 256;

    private static final WireAnswer BYTE = WireAnswer.fixed(Byte.BYTES);
    private static final WireAnswer NONCE = WireAnswer.fixed(Integer.BYTES);
    private static final WireAnswer NUMBER = new WireAnswer(Long.BYTES, head -> 0, head -> head.getLong(0));
    /** Its value is its length. */
    private static final WireAnswer BYTES =
            new WireAnswer(Long.BYTES, head -> head.getLong(0), head -> head.getLong(0));

    @Override
    public ByteOrder order() {
        return ByteOrder.LITTLE_ENDIAN;
    }

    @Override
    public Step hello() {
        return Step.only(
                request(out -> {
                    out.put((byte) VALIDATE).putInt(MAGIC);
                    out.put((byte) PING).putInt(1);
                }),
                NONCE);
    }

    @Override
    public Step add(String key) {
        return Step.only(request(out -> putText(out.put((byte) ADD), key).putLong(1)), NUMBER);
    }

    /** Takes two round trips, as PyTorch's client does. */
    @Override
    public Step get(String key) {
        return Step.only(request(out -> putWait(out, key)), BYTE)
                .then(Step.only(request(out -> putText(out.put((byte) GET), key)), BYTES));
    }

    @Override
    public IntFunction<Step> arrive(String barrier, int participants) {
        Step rest = awaitLast(barrier);
        Step last = setLast(barrier);
        Step count =
                new Step(add(barrier + ":arrived").request(), NUMBER, arrived -> arrived == participants ? last : rest);
        return participant -> count;
    }

    @Override
    public IntFunction<Step> arriveAgain(String barrier, int participants) {
        String arrived = barrier + ":arrived";
        long wholeList = listBytes(participants);
        Step rest = awaitLast(barrier);
        Step last = setLast(barrier);
        Step read = new Step(
                request(out -> putText(out.put((byte) GET), arrived)),
                BYTES,
                length -> length == wholeList ? last : rest);
        return participant -> {
            ByteBuffer append = request(out -> {
                putText(putText(out.put((byte) APPEND), arrived), participant + ",");
                putWait(out, arrived);
            });
            return Step.only(append, BYTE).then(read);
        };
    }

    private static long listBytes(int participants) {
        long bytes = 0;
        for (int participant = 0; participant < participants; participant++) {
            bytes += Integer.toString(participant).length() + 1;
        }
        return bytes;
    }

    private static Step awaitLast(String barrier) {
        return Step.only(request(out -> putWait(out, barrier + ":last_worker_arrived")), BYTE);
    }

    private static Step setLast(String barrier) {
        String last = barrier + ":last_worker_arrived";
        return Step.only(
                request(out -> {
                    putText(putText(out.put((byte) SET), last), "1");
                    putWait(out, last);
                }),
                BYTE);
    }

    @Override
    public Step awaitChange(String key) {
        return Step.only(request(out -> putWait(out, key)), BYTE);
    }

    @Override
    public Step change(String key) {
        return Step.only(request(out -> putText(putText(out.put((byte) SET), key), "1")), WireAnswer.NONE);
    }

    private static void putWait(ByteBuffer out, String key) {
        putText(out.put((byte) WAIT).putLong(1), key);
    }

    private static ByteBuffer putText(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return out.putLong(bytes.length).put(bytes);
    }

    private static ByteBuffer request(Consumer<ByteBuffer> write) {
        ByteBuffer out = ByteBuffer.allocate(MAX_REQUEST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        write.accept(out);
        return out.flip();
    }
}
