package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.HostMark;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The store of a job. This process hosts it if its address is one of this node, and nobody serves a store there yet.
 *
 * @param server null if another process hosts it
 */
record JobStore(String host, int port, @Nullable TcpStoreServer server, Duration lease) implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    /** How long to look for who uses the port: a store on a busy host may take its time to answer. */
    private static final Duration LOOK = Duration.ofSeconds(20);

    /** How long the host of a store may take to say that it is one. */
    private static final Duration MARK = Duration.ofSeconds(3);

    private static final Duration GRACE = Duration.ofSeconds(2);
    /** For how much longer than a lease the agents wait for a server that is silent, as a part of the lease. */
    private static final int SILENCE_PART = 5;

    /** The heap that the store may fill; garbage and the agent itself need the rest. */
    private static final int PART_OF_HEAP = 3;

    /**
     * Finds or starts the store. Waits until its host has an address.
     *
     * @param node the name of this node
     * @throws StoreException if that is impossible; says what to do
     */
    static JobStore open(LaunchConfig config, String node, LauncherLog log) throws InterruptedException {
        String host = config.host() == null ? LOOPBACK : config.host();
        if (config.host() != null
                && !isOwn(HostName.await(host, config.rendezvousTimeout(), log::line), config.localAddress())) {
            return new JobStore(host, config.port(), null, config.lease());
        }
        TcpStoreServer server;
        try {
            server = start(host, config.port(), config.refound() ? config.lease() : null);
        } catch (StoreException inUse) {
            return existing(host, config, inUse);
        }
        JobStore hosted = new JobStore(host, server.port(), server, config.lease());
        try (TcpStore session = hosted.connect("agent-host", LOOK)) {
            HostMark.write(session, node);
        } catch (StoreException e) {
            hosted.close();
            throw e;
        }
        return hosted;
    }

    /**
     * Starts the server of an agent.
     *
     * @param lease after which the other agents go on without it if it stands still; null if they do not
     */
    static TcpStoreServer start(String host, int port, @Nullable Duration lease) throws InterruptedException {
        TcpStoreServer.Builder builder = TcpStoreServer.builder()
                .host(host)
                .port(port)
                .limit(
                        StoreLimit.TOTAL_BYTES,
                        Math.min(
                                StoreLimit.TOTAL_BYTES.byDefault(),
                                Runtime.getRuntime().maxMemory() / PART_OF_HEAP))
                // Clients of PyTorch's protocol cannot prove a secret.
                .pytorch(Secret.fromEnvironment() == null);
        if (lease != null) {
            builder.standstill(lease.plus(lease.dividedBy(SILENCE_PART)));
        }
        return builder.start();
    }

    /** Uses the store that is there, unless another agent hosts it: then one of the two was started by mistake. */
    private static JobStore existing(String host, LaunchConfig config, StoreException inUse)
            throws InterruptedException {
        JobStore existing = new JobStore(host, config.port(), null, config.lease());
        String hosting;
        try (TcpStore session = existing.connect("agent-look", LOOK)) {
            hosting = HostMark.read(session);
        } catch (StoreException stranger) {
            throw new StoreException("%s; %s".formatted(inUse.getMessage(), stranger.getMessage()), inUse);
        }
        if (!hosting.isEmpty()) {
            throw new StoreException(
                    "the agent of %s runs at this address already, and hosts the store at %s:%d. For a second agent on this host, name an address of its own with --local-addr; for another job, another port with --rdzv-endpoint"
                            .formatted(hosting, host, config.port()));
        }
        return existing;
    }

    /** Returns whether the address of the store is one of this node. */
    static boolean isOwn(InetAddress address, @Nullable String localAddress) {
        try {
            return localAddress == null
                    ? address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null
                    : address.equals(InetAddress.getByName(localAddress));
        } catch (UnknownHostException e) {
            throw new StoreException("--local-addr names no address: " + e.getMessage(), e);
        } catch (SocketException e) {
            throw new StoreException("the addresses of this node cannot be read: " + e.getMessage(), e);
        }
    }

    /** Returns whether the store ends with an agent: with this one, or another. */
    boolean isHostedByAgent() throws InterruptedException {
        if (server != null) {
            return true;
        }
        try (TcpStore session = connect("agent-look", LOOK)) {
            return HostMark.await(session, MARK);
        }
    }

    /** Opens a session. */
    TcpStore connect(String name, Duration limit) throws InterruptedException {
        return TcpStore.builder()
                .name(name)
                .host(host)
                .port(port)
                .connectTimeout(limit)
                .reconnectGrace(lease)
                .connect();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close(GRACE);
        }
    }
}
