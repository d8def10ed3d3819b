package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.BarrierOverflowException;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.StoreTimeoutException;

/**
 * Encodes failures: a code u8 and the fields from which the client recreates the same exception.
 *
 * <pre>
 *  0  {@link StoreException}            message text
 *  1  {@link StoreRequestException}     message text
 *  2  {@link StoreTimeoutException}     message text, timeout duration
 *  3  {@link BarrierTimeoutException}   barrier text, arrived index set, expected index set, timeout duration
 *  4  {@link BarrierOverflowException}  barrier text, unexpected, expected, arrived: index sets
 *  5  {@link SessionExpiredException}   message text
 * </pre>
 */
public final class FailureCodec {
    private static final int FAILED = 0;
    private static final int REFUSED = 1;
    private static final int TIMEOUT = 2;
    private static final int BARRIER_TIMEOUT = 3;
    private static final int BARRIER_OVERFLOW = 4;
    private static final int EXPIRED = 5;

    private FailureCodec() {}

    public static void write(StoreException failure, WireWriter out) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof StoreRequestException) {
            out.byteOf(REFUSED).text(message);
        } else if (failure instanceof StoreTimeoutException timeout) {
            out.byteOf(TIMEOUT).text(message).duration(timeout.timeout());
        } else if (failure instanceof BarrierTimeoutException timeout) {
            out.byteOf(BARRIER_TIMEOUT)
                    .text(timeout.barrier())
                    .indexSet(timeout.arrived())
                    .indexSet(timeout.expected())
                    .duration(timeout.timeout());
        } else if (failure instanceof BarrierOverflowException overflow) {
            out.byteOf(BARRIER_OVERFLOW)
                    .text(overflow.barrier())
                    .indexSet(overflow.unexpected())
                    .indexSet(overflow.expected())
                    .indexSet(overflow.arrived());
        } else if (failure instanceof SessionExpiredException) {
            out.byteOf(EXPIRED).text(message);
        } else {
            out.byteOf(FAILED).text(message);
        }
    }

    public static StoreException read(WireReader in) {
        int code = in.byteOf();
        return switch (code) {
            case FAILED -> new StoreException(in.text());
            case REFUSED -> new StoreRequestException(in.text());
            case TIMEOUT -> new StoreTimeoutException(in.text(), in.duration());
            case BARRIER_TIMEOUT -> new BarrierTimeoutException(in.text(), in.indexSet(), in.indexSet(), in.duration());
            case BARRIER_OVERFLOW ->
                new BarrierOverflowException(in.text(), in.indexSet(), in.indexSet(), in.indexSet());
            case EXPIRED -> new SessionExpiredException(in.text());
            default -> throw new ProtocolException("unknown failure " + code);
        };
    }
}
