package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.SocketSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts servers. */
public final class ServerBuilder extends SocketSettings<TcpStoreServer.Builder> implements TcpStoreServer.Builder {
    private static final Logger LOG = LoggerFactory.getLogger(ServerBuilder.class);
    private static final String INSECURE_VARIABLE = "RESILIENCY_STORE_INSECURE";
    private static final String PYTORCH_BESIDE_SECRET =
            "store server: clients of PyTorch cannot prove the secret that this server has. Leave out either pytorch(true)"
                    + " (--pytorch) or the secret, or admit them without it by pytorchBesideSecret(true)"
                    + " (--pytorch-beside-secret): then the secret protects nothing";

    private static final String PYTORCH_BESIDE_TLS =
            "store server: clients of PyTorch do not support TLS; leave out either pytorch(true) (--pytorch) or tls(...)";

    private static final long HUGE = 1L << 60; // effectively no limit, and the sum of two does not overflow
    private static final int FRAME_OVERHEAD_BYTES = 64; // the most that a frame with one value and its key adds to them

    private boolean pytorch;
    private boolean pytorchBesideSecret;
    private final Map<StoreLimit, Long> limits = new EnumMap<>(StoreLimit.class);
    /** Null for never. */
    private @Nullable Duration standstill;

    private boolean insecure = "1".equals(System.getenv(INSECURE_VARIABLE));

    @Override
    protected TcpStoreServer.Builder self() {
        return this;
    }

    @Override
    protected int lowestPort() {
        return 0;
    }

    @Override
    public TcpStoreServer.Builder insecure(boolean insecure) {
        this.insecure = insecure;
        return this;
    }

    @Override
    public TcpStoreServer.Builder pytorch(boolean pytorch) {
        this.pytorch = pytorch;
        return this;
    }

    @Override
    public TcpStoreServer.Builder pytorchBesideSecret(boolean pytorchBesideSecret) {
        this.pytorchBesideSecret = pytorchBesideSecret;
        return this;
    }

    @Override
    public TcpStoreServer.Builder standstill(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("standstill must be more than 0, not " + limit);
        }
        standstill = limit;
        return this;
    }

    @Override
    public TcpStoreServer.Builder limit(StoreLimit limit, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s must be 1 or more, not %d".formatted(limit, value));
        }
        limits.put(limit, value);
        return this;
    }

    @Override
    public Server start() throws InterruptedException {
        String address = host() + ":" + port();
        Limits checked = checked(Limits.of(limits));
        try {
            InetAddress resolved = InetAddress.getByName(host());
            ServerSettings settings = new ServerSettings(scope(), checked(credentials(), resolved), pytorch, checked);
            Server server = Server.start(host(), new InetSocketAddress(resolved, port()), settings);
            if (standstill != null) {
                server.forgetAfter(standstill);
            }
            LOG.debug("Store listens on {}:{}", host(), server.port());
            return server;
        } catch (UnknownHostException unknown) {
            throw new StoreException("store server: the host %s is unknown".formatted(host()), unknown);
        } catch (IOException failure) {
            throw new StoreException(bindFailure(address, failure), failure);
        }
    }

    private Credentials checked(Credentials credentials, InetAddress address) {
        if (!address.isLoopbackAddress() && !authenticatesClients(credentials) && !insecure) {
            throw new StoreException(refusal(host() + ":" + port(), credentials.tls() != null));
        }
        if (pytorch && credentials.tls() != null) {
            throw new StoreException(PYTORCH_BESIDE_TLS);
        }
        if (pytorch && credentials.secret() != null && !pytorchBesideSecret) {
            throw new StoreException(PYTORCH_BESIDE_SECRET);
        }
        return credentials;
    }

    private static boolean authenticatesClients(Credentials credentials) {
        Tls tls = credentials.tls();
        return credentials.secret() != null || (tls != null && tls.trust() != null);
    }

    /**
     * Checks that a frame has room for the largest value, as the server pushes the value of a watched key in one frame.
     */
    private static Limits checked(Limits limits) {
        long key = limits.of(StoreLimit.KEY_BYTES);
        long value = limits.of(StoreLimit.VALUE_BYTES);
        long frame = limits.of(StoreLimit.FRAME_BYTES);
        long needed = Math.min(key, HUGE) + Math.min(value, HUGE) + FRAME_OVERHEAD_BYTES;
        if (frame < needed) {
            throw new StoreException(
                    ("store server: %s is %d, and must be %d or more, so that a value of %d bytes (%s) under a key"
                                    + " of %d bytes (%s) fits in; raise it or lower these")
                            .formatted(
                                    StoreLimit.FRAME_BYTES,
                                    frame,
                                    needed,
                                    value,
                                    StoreLimit.VALUE_BYTES,
                                    key,
                                    StoreLimit.KEY_BYTES));
        }
        return limits;
    }

    private static String refusal(String address, boolean isEncrypted) {
        if (isEncrypted) {
            return ("store server: %s can be reached from other machines, and TLS without trusted certificates serves"
                            + " whoever reaches it. Name the certificates that sign those of the clients in a file with"
                            + " %s or trust(...); or give the server and its clients a secret, in a file named by %s or"
                            + " with secret(...); or, on a trusted network, allow it with insecure(true) or %s=1")
                    .formatted(address, Tls.TRUST_VARIABLE, Secret.VARIABLE, INSECURE_VARIABLE);
        }
        return ("store server: %s can be reached from other machines, and whoever reaches it could read and write the"
                        + " store. Listen on a loopback address such as 127.0.0.1; or give the server and its clients a"
                        + " secret, in a file named by %s or with secret(...); or encrypt with TLS, with files named by"
                        + " %s, %s and %s or with tls(...); or, on a trusted network, allow it with insecure(true) or"
                        + " %s=1")
                .formatted(
                        address,
                        Secret.VARIABLE,
                        Tls.CERTIFICATE_VARIABLE,
                        Tls.KEY_VARIABLE,
                        Tls.TRUST_VARIABLE,
                        INSECURE_VARIABLE);
    }

    private static String bindFailure(String address, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("in use")
                ? "store server: %s is in use; end the process that listens there, or choose another port"
                        .formatted(address)
                : "store server: cannot listen on %s: %s".formatted(address, message);
    }
}
