package dev.resiliency.examples.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Our own protocol, whose format the Javadoc of {@code Frames} in the store shows. */
final class NativeWire implements StoreWire {
    private static final int MAGIC = 0x52534C59;
    private static final short VERSION = 1;

    private static final int HELLO = 1;
    private static final int REQUEST = 2;
    private static final int WELCOME = 16;
    private static final int REPLY = 18;
    private static final int PUSH = 20;

    private static final int SET = 1;
    private static final int GET = 2;
    private static final int ADD = 3;
    private static final int ARRIVE = 17;
    private static final int WATCH = 18;
    private static final int LEASE = 21;
    private static final int RENEW = 22;

    private static final long ID = 1; // a client has one request at a time
    private static final long TIMEOUT_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long LEASE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final int TOKEN_BYTES = 32;
    private static final int MAX_REQUEST_BYTES = 256;

    private static final int TYPE_AT = Integer.BYTES;
    private static final int SESSION_AT = TYPE_AT + 1 + Long.BYTES + Short.BYTES;

    /** Its value is the session's id. */
    private static final WireAnswer WELCOME_WITH_SESSION = new WireAnswer(
            SESSION_AT + Long.BYTES,
            head -> checkedBytes(head, WELCOME) + Integer.BYTES - SESSION_AT - Long.BYTES,
            head -> head.getLong(SESSION_AT));

    @Override
    public ByteOrder order() {
        return ByteOrder.BIG_ENDIAN;
    }

    @Override
    public Step hello() {
        ByteBuffer hello = ByteBuffer.allocate(MAX_REQUEST_BYTES);
        hello.putInt(MAGIC).putShort(VERSION).putShort(VERSION);
        frame(hello, HELLO, 0, body -> body.put((byte) 0).put((byte) 0)); // no scope, no secret
        return Step.only(hello.flip(), WELCOME_WITH_SESSION);
    }

    /** Gives the session a lease of 30 s. */
    Step lease() {
        return request(LEASE, body -> body.putLong(LEASE_NANOS));
    }

    @Override
    public Step add(String key) {
        return request(ADD, body -> putText(body, key).putLong(1));
    }

    @Override
    public Step get(String key) {
        return request(GET, body -> putText(body, key));
    }

    @Override
    public IntFunction<Step> arrive(String barrier, int participants) {
        return participant -> request(ARRIVE, body -> {
            putText(body, barrier);
            body.put((byte) 1); // expected participants
            putRun(body, 0, participants);
            body.put((byte) 0); // no set of expected ones
            body.put((byte) 0); // no set of excused ones
            body.put((byte) 0); // no operations on completion
            putRun(body, participant, 1);
            body.put((byte) 1); // waits
        });
    }

    /** All our barriers are of this kind. */
    @Override
    public IntFunction<Step> arriveAgain(String barrier, int participants) {
        return arrive(barrier, participants);
    }

    @Override
    public Step awaitChange(String key) {
        Step push = Step.only(ByteBuffer.allocate(0), answer(PUSH));
        return request(WATCH, body -> putText(body, key).putLong(ID)).then(push);
    }

    @Override
    public Step change(String key) {
        return request(SET, body -> putText(putText(body, key), "1"));
    }

    /** Renews the lease of a session. The frame alone does so, whatever its token is: it is the session's own. */
    Step heartbeat(long session) {
        return request(
                RENEW, body -> body.putLong(session).put((byte) TOKEN_BYTES).put(new byte[TOKEN_BYTES]));
    }

    private static Step request(int operation, Consumer<ByteBuffer> fields) {
        return Step.only(oneRequest(ID, operation, fields), answer(REPLY));
    }

    private static ByteBuffer oneRequest(long id, int operation, Consumer<ByteBuffer> fields) {
        ByteBuffer request = ByteBuffer.allocate(MAX_REQUEST_BYTES);
        frame(request, REQUEST, id, body -> {
            body.putLong(TIMEOUT_NANOS);
            body.put((byte) 1); // one operation
            body.put((byte) operation);
            fields.accept(body);
        });
        return request.flip();
    }

    private static void frame(ByteBuffer out, int type, long id, Consumer<ByteBuffer> body) {
        int start = out.position();
        out.putInt(0).put((byte) type).putLong(id);
        body.accept(out);
        out.putInt(start, out.position() - start - Integer.BYTES);
    }

    private static ByteBuffer putText(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        putVarint(out, bytes.length);
        return out.put(bytes);
    }

    /** Writes a set of consecutive numbers. */
    private static void putRun(ByteBuffer out, int first, int count) {
        putVarint(out, 1);
        putVarint(out, first);
        putVarint(out, count - 1);
    }

    private static void putVarint(ByteBuffer out, int value) {
        int rest = value;
        for (; rest > 0x7F; rest >>>= 7) {
            out.put((byte) ((rest & 0x7F) | 0x80));
        }
        out.put((byte) rest);
    }

    private static WireAnswer answer(int type) {
        return new WireAnswer(TYPE_AT + 1, head -> checkedBytes(head, type) - 1, head -> 0);
    }

    /** Returns the bytes that follow the length of a frame, which must be of this type. */
    private static long checkedBytes(ByteBuffer head, int type) {
        if (head.get(TYPE_AT) != type) {
            throw new IllegalStateException(
                    "the server sent a frame of type %d instead of type %d".formatted(head.get(TYPE_AT), type));
        }
        return head.getInt(0);
    }
}
