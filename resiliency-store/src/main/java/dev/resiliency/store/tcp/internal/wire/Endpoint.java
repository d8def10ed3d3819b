package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.StoreAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The address of a client's store, and the exceptions that name it. */
public record Endpoint(StoreAddress address) {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);
    private static final String REFUSED = "Connection refused";
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-\\d+\\): ");

    /** The connection to it ended. */
    public StoreLostException lost(@Nullable Throwable cause) {
        String how = cause == null ? "the server closed the connection" : describe(cause);
        return lost("store at %s was lost: %s".formatted(address, how), cause);
    }

    /** The connection to it ended, and reconnecting failed. */
    public StoreLostException lost(@Nullable Throwable cause, Throwable again) {
        StoreLostException lost = lost(cause);
        return lost("%s; %s".formatted(lost.getMessage(), again.getMessage()), again);
    }

    /** The connection to it ended, and another process answers in its place. */
    public StoreLostException restarted(@Nullable Throwable cause) {
        String message = "%s; its server was restarted and has lost its contents"
                .formatted(lost(cause).getMessage());
        return lost(message, cause);
    }

    /** The message says all that a user needs; where Netty has noticed it is for developers. */
    private StoreLostException lost(String message, @Nullable Throwable cause) {
        if (cause != null) {
            LOG.debug("{}", message, cause);
        }
        return new StoreLostException(address.toString(), message, null);
    }

    /** Returns whether the host answered that no process listens there. */
    public static boolean isNobodyThere(IOException failure) {
        return failure instanceof ConnectException
                && String.valueOf(failure.getMessage()).contains(REFUSED);
    }

    /** It and the client do not agree, which a retry would not change. */
    public StoreException refused(RefusedException refusal) {
        String store = "the store at " + address;
        String message = switch (refusal.code()) {
            case Frames.REFUSED_WITHOUT_SECRET ->
                store + " requires a secret: set RESILIENCY_STORE_SECRET_FILE to a file with that of its server";
            case Frames.REFUSED_WRONG_SECRET ->
                "this client and " + store + " have different secrets: give the same to both";
            case Frames.REFUSED_SECRET_UNKNOWN ->
                store + " has no secret, and this client has one: set RESILIENCY_STORE_SECRET_FILE"
                        + " for the server as well";
            case Frames.REFUSED_WITHOUT_TLS ->
                store
                        + " requires TLS: set RESILIENCY_STORE_TLS_TRUST to a file with the certificates that sign its own";
            case Frames.REFUSED_PYTORCH ->
                "a server of PyTorch's TCPStore, which keeps no sessions, answers at " + address
                        + ": start a store server of this library instead, with 'resiliency store' or"
                        + " resiliency-store-server.jar; with --pytorch it serves PyTorch's clients as well";
            case Frames.REFUSED_TLS_FAILED -> "TLS with " + store + " failed: " + refusal.getMessage();
            default -> store + " refused: " + refusal.getMessage();
        };
        return new StoreException(message, refusal);
    }

    /** It could not be reached in time. */
    public StoreLostException unreachable(int attempts, Duration spent, IOException lastFailure) {
        String message = "store at %s could not be reached: tried %d %s in %s s, last error: %s"
                .formatted(
                        address,
                        attempts,
                        attempts == 1 ? "time" : "times",
                        Math.round(spent.toMillis() / 100.0) / 10.0,
                        describe(lastFailure));
        return lost(message, lastFailure);
    }

    /** Returns in words that it cannot be reached so far. */
    public String absent(Duration spent, IOException lastFailure) {
        return "store at %s has been out of reach for %d s: %s. Has its host started, with the same port?"
                .formatted(address, spent.toSeconds(), describe(lastFailure));
    }

    /** Returns the failure in words, without the address or the system call that Netty adds. */
    private String describe(Throwable failure) {
        if (failure instanceof UnknownHostException) {
            return "the host " + address.host() + " is unknown";
        }
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        if (failure instanceof IOException known && isNobodyThere(known)) {
            return REFUSED;
        }
        return SYSTEM_CALL.matcher(message).replaceFirst("");
    }

    @Override
    public String toString() {
        return address.scope().isEmpty() ? address.toString() : address.scope() + " at " + address;
    }
}
