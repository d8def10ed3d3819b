package dev.resiliency.inprocess.spi.socket;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the socket addresses of the kernel, and those that ranks publish.
 *
 * @since 0.1.0
 */
public final class SocketAddresses {
    /** The size of the largest address, {@code sockaddr_storage}. */
    static final int MAX_BYTES = 128;

    private static final int IPV4 = 2;
    private static final int IPV6 = 10;

    private SocketAddresses() {}

    /** Returns the address in a {@code sockaddr}; null if it is not one of IP. An IPv4 address in IPv6 becomes IPv4. */
    static @Nullable InetSocketAddress ofKernel(byte[] address) {
        int family = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder()).getShort(0);
        int port = Short.toUnsignedInt(ByteBuffer.wrap(address).getShort(2));
        try {
            return switch (family) {
                case IPV4 -> new InetSocketAddress(InetAddress.getByAddress(Arrays.copyOfRange(address, 4, 8)), port);
                case IPV6 -> new InetSocketAddress(InetAddress.getByAddress(Arrays.copyOfRange(address, 8, 24)), port);
                default -> null;
            };
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 4 or 16 bytes is always valid", e);
        }
    }

    /** Returns the text of an address, which {@link #parse} reads: {@code 10.0.0.7/29500}. */
    public static String text(InetSocketAddress address) {
        return ip(address) + "/" + address.getPort();
    }

    /** Returns the text of the IP address, without a zone. */
    public static String ip(InetSocketAddress address) {
        return address.getAddress().getHostAddress().split("%", -1)[0];
    }

    /** Reads what {@link #text} writes; resolves no name. */
    public static InetSocketAddress parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0 || !text.substring(0, slash).matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException("not an address of a rank: " + text);
        }
        return new InetSocketAddress(text.substring(0, slash), Integer.parseInt(text.substring(slash + 1)));
    }
}
