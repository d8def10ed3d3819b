package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.internal.log.ThrownText;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Recognizes what a rank throws whose connection to another one has ended. */
final class LostConnection {
    /** What Linux says of a connection; Java has no types for it where it writes to a channel, nor has Netty. */
    private static final Set<String> SAID_BY_THE_KERNEL = Set.of("Broken pipe", "Connection reset by peer");

    private LostConnection() {}

    /** Returns whether it, or what has caused it, says that a connection has ended, is silent, or could not be made. */
    static boolean isCauseOf(Throwable thrown) {
        return ThrownText.withCauses(thrown).stream().anyMatch(LostConnection::isOne);
    }

    private static boolean isOne(Throwable cause) {
        return cause instanceof EOFException
                || cause instanceof SocketException
                || cause instanceof SocketTimeoutException
                || cause instanceof ClosedChannelException
                || (cause instanceof IOException && isOfTheKernel(ThrownText.messageOf(cause)));
    }

    /** Netty writes the name of the call before it. */
    private static boolean isOfTheKernel(@Nullable String message) {
        return message != null && SAID_BY_THE_KERNEL.stream().anyMatch(message::endsWith);
    }
}
