package dev.resiliency.inprocess.spi.socket;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import dev.resiliency.store.spi.guard.OpenFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The functions of the C library on descriptors, through JNA. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class NativeSockets {
    private static final Logger LOG = LoggerFactory.getLogger(NativeSockets.class);
    private static final int DUPLICATE_AND_CLOSE_ON_EXEC = 1030; // F_DUPFD_CLOEXEC of Linux
    private static final int RECEIVING = 0; // SHUT_RD
    private static final int BOTH = 2; // SHUT_RDWR
    private static final int SOCKET_LEVEL = 1; // SOL_SOCKET of Linux
    private static final int ACCEPTS = 30; // SO_ACCEPTCONN of Linux
    private static final int LINGER = 13; // SO_LINGER of Linux
    /** A {@code struct linger} that is on, with no time. */
    private static final int[] NO_LINGER = {1, 0};

    private static final int NO_DESCRIPTOR = -1;
    /** An address of the family AF_UNSPEC, to which connecting means to disconnect. */
    private static final byte[] NO_ADDRESS = new byte[16];

    private final Function fcntl;
    private final Function close;
    private final Function connect;
    private final Function shutdown;
    private final Function getsockname;
    private final Function getpeername;
    private final Function getsockopt;
    private final Function setsockopt;

    private NativeSockets(NativeLibrary library) {
        fcntl = library.getFunction("fcntl");
        close = library.getFunction("close");
        connect = library.getFunction("connect");
        shutdown = library.getFunction("shutdown");
        getsockname = library.getFunction("getsockname");
        getpeername = library.getFunction("getpeername");
        getsockopt = library.getFunction("getsockopt");
        setsockopt = library.getFunction("setsockopt");
    }

    /** Returns the functions of this process, loaded by the first caller; null without JNA. */
    public static @Nullable NativeSockets find() {
        return Loaded.SOCKETS;
    }

    /**
     * Returns a duplicate of a descriptor if it is meant, otherwise -1. Through a duplicate, since a library may close a descriptor
     * at any time, and its number may then be that of another socket; so whether it is meant is asked again.
     */
    int duplicate(int descriptor, IntPredicate isMeant) {
        int duplicate =
                isMeant.test(descriptor) ? call(fcntl, descriptor, DUPLICATE_AND_CLOSE_ON_EXEC, 0) : NO_DESCRIPTOR;
        if (duplicate < 0 || isMeant.test(duplicate)) {
            return duplicate;
        }
        close(duplicate);
        return NO_DESCRIPTOR;
    }

    void close(int descriptor) {
        call(close, descriptor);
    }

    /** Lets reads of a connection see its end, as if the other side had closed it; returns whether it was one. */
    boolean endReceiving(int descriptor) {
        return call(shutdown, descriptor, RECEIVING) == 0;
    }

    /** Lets the last close of a connection, and the end of the process, break it: the other side sees a reset, and no end. */
    boolean resetWhenClosed(int descriptor) {
        return call(setsockopt, descriptor, SOCKET_LEVEL, LINGER, NO_LINGER.clone(), NO_LINGER.length * Integer.BYTES)
                == 0;
    }

    /**
     * Breaks a connection in both directions, so that both sides see an error: to both it looks reset. Where the kernel
     * refuses that while a thread waits, both see its end. Lets a listener accept nothing more. Returns whether it was one.
     */
    boolean end(int descriptor) {
        return (!isListening(descriptor) && call(connect, descriptor, NO_ADDRESS.clone(), NO_ADDRESS.length) == 0)
                || call(shutdown, descriptor, BOTH) == 0;
    }

    /** Returns the own address of a socket; null if it is none of IP. */
    @Nullable
    InetSocketAddress localAddress(int descriptor) {
        return address(getsockname, descriptor);
    }

    /** Returns the address to which a socket is connected; null if it is not. */
    @Nullable
    InetSocketAddress remoteAddress(int descriptor) {
        return address(getpeername, descriptor);
    }

    /** Returns the addresses of the sockets of this process that accept connections. */
    public Set<InetSocketAddress> listeners() throws IOException {
        Set<InetSocketAddress> listeners = new HashSet<>();
        for (int descriptor : OpenFiles.descriptors()) {
            InetSocketAddress local = isListening(descriptor) ? localAddress(descriptor) : null;
            if (local != null) {
                listeners.add(local);
            }
        }
        return listeners;
    }

    /** Lets the listeners of this process at a port accept nothing more, which ends a wait for a connection. */
    public void endListeners(int port) throws IOException {
        cut(descriptor -> isListeningAt(port, descriptor), this::end);
    }

    private boolean isListeningAt(int port, int descriptor) {
        InetSocketAddress local = isListening(descriptor) ? localAddress(descriptor) : null;
        return local != null && local.getPort() == port;
    }

    /** Cuts the descriptors that are meant; returns how many. */
    int cut(IntPredicate isMeant, IntPredicate end) throws IOException {
        int cut = 0;
        for (int descriptor : OpenFiles.descriptors()) {
            int duplicate = duplicate(descriptor, isMeant);
            if (duplicate >= 0) {
                try {
                    cut += end.test(duplicate) ? 1 : 0;
                } finally {
                    close(duplicate);
                }
            }
        }
        return cut;
    }

    private boolean isListening(int descriptor) {
        IntByReference answer = new IntByReference();
        return call(getsockopt, descriptor, SOCKET_LEVEL, ACCEPTS, answer, new IntByReference(Integer.BYTES)) == 0
                && answer.getValue() != 0;
    }

    private static @Nullable InetSocketAddress address(Function function, int descriptor) {
        byte[] address = new byte[SocketAddresses.MAX_BYTES];
        return call(function, descriptor, address, new IntByReference(address.length)) == 0
                ? SocketAddresses.ofKernel(address)
                : null;
    }

    private static int call(Function function, Object... arguments) {
        return function.invokeInt(arguments);
    }

    /** Loads the functions once. */
    private static final class Loaded {
        private static final @Nullable NativeSockets SOCKETS = load();

        private static @Nullable NativeSockets load() {
            try {
                return new NativeSockets(NativeLibrary.getInstance("c"));
            } catch (LinkageError e) {
                LOG.warn(
                        "without JNA, an operation of a process group that waits for a stopped rank ends only after"
                                + " the group's timeout: {}",
                        e.toString());
                return null;
            }
        }
    }
}
