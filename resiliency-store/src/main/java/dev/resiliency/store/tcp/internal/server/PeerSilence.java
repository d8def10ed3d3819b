package dev.resiliency.store.tcp.internal.server;

import io.netty.channel.unix.Errors.NativeIoException;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.util.Set;

/**
 * Recognizes that a connection failed because its peer was silent: this machine's kernel gave up waiting for it. A FIN
 * or an RST is not silence: the peer, or something in between, ended the connection.
 */
final class PeerSilence {
    private static final int ENETUNREACH = 101;
    private static final int ETIMEDOUT = 110;
    private static final int EHOSTUNREACH = 113;
    /** On Linux, where epoll exists. */
    private static final Set<Integer> ERRNOS = Set.of(ENETUNREACH, ETIMEDOUT, EHOSTUNREACH);

    /** The texts of these errors, which are all that the JDK's sockets report. */
    private static final Set<String> MESSAGES =
            Set.of("Network is unreachable", "Connection timed out", "Operation timed out", "No route to host");

    private PeerSilence() {}

    static boolean isCauseOf(IOException failure) {
        if (failure instanceof NativeIoException known) {
            return ERRNOS.contains(-known.expectedErr());
        }
        return failure instanceof NoRouteToHostException || MESSAGES.contains(String.valueOf(failure.getMessage()));
    }
}
