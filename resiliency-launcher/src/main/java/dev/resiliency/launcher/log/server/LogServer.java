package dev.resiliency.launcher.log.server;

import dev.resiliency.launcher.log.CycleLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Merges the lines of all nodes of a job into one file for each cycle. Safe for use by many threads.
 *
 * <p>Threads: {@code resiliency-log-server}, which does all of it; {@code resiliency-log-network} of gRPC, which only brings
 * what has come.
 */
public final class LogServer implements CycleLog.Listener, AutoCloseable {
    static final int LARGEST_MESSAGE = 1 << 20;
    private static final String INSECURE_VARIABLE = "RESILIENCY_STORE_INSECURE";
    private static final int WINDOW = 256 << 10;
    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration LOOK_FOR_SILENCE = Duration.ofSeconds(1);
    /** A client whose host is gone is noticed after this. */
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(1);

    /** gRPC's, which prints a stack trace for whoever speaks another protocol. Held here, as its level is forgotten with it. */
    private static final Logger CONNECTIONS =
            Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerTransport");

    private final Server server;
    private final ExecutorService thread;
    private final EventLoopGroup network;
    private final Doorkeeper doorkeeper;
    private final Merger merger;
    private final LogService service;

    private LogServer(
            Server server,
            ExecutorService thread,
            EventLoopGroup network,
            Doorkeeper doorkeeper,
            Merger merger,
            LogService service) {
        this.server = server;
        this.thread = thread;
        this.network = network;
        this.doorkeeper = doorkeeper;
        this.merger = merger;
        this.service = service;
    }

    /**
     * Starts a server.
     *
     * @param files that it writes
     * @param secret that its clients must prove; null for none
     * @param complaints receive what goes wrong
     * @throws IOException if it cannot serve there; says what to do
     */
    public static LogServer start(
            InetSocketAddress address,
            String jobId,
            LogFiles files,
            @Nullable Secret secret,
            @Nullable Tls tls,
            Consumer<String> complaints)
            throws IOException {
        checkProtection(address, secret, tls);
        CONNECTIONS.setLevel(Level.WARNING);
        Doorkeeper doorkeeper = new Doorkeeper(jobId, secret, Descriptors.ofThisProcess(), complaints);
        Merger merger = new Merger(files, complaints);
        LogService service = new LogService(merger, doorkeeper::members, System::nanoTime);
        EventLoopGroup network = new NioEventLoopGroup(1, task -> {
            Thread created = new Thread(task, "resiliency-log-network");
            created.setDaemon(true);
            return created;
        });
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "resiliency-log-server");
            created.setDaemon(true);
            return created;
        });
        try {
            Server server = NettyServerBuilder.forAddress(address, credentials(tls))
                    .executor(thread)
                    .channelFactory(doorkeeper.places()::newChannel)
                    .bossEventLoopGroup(network)
                    .workerEventLoopGroup(network)
                    .addService(service)
                    .intercept(doorkeeper)
                    .addTransportFilter(doorkeeper)
                    .initialFlowControlWindow(WINDOW)
                    .maxInboundMessageSize(LARGEST_MESSAGE)
                    .maxConcurrentCallsPerConnection(2)
                    .keepAliveTime(KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
                    .build()
                    .start();
            every(network, LOOK_FOR_SILENCE, () -> {
                doorkeeper.places().expire();
                thread.execute(service::endSilentStreams);
            });
            return new LogServer(server, thread, network, doorkeeper, merger, service);
        } catch (IOException e) {
            thread.shutdownNow();
            stop(network);
            throw new IOException(
                    "the log server cannot listen at %s:%d: %s. Choose another port with --log-server-port, the same on all nodes"
                            .formatted(address.getHostString(), address.getPort(), reason(e)),
                    e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the group
    private static void every(EventLoopGroup network, Duration interval, Runnable task) {
        network.scheduleWithFixedDelay(task, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void stop(EventLoopGroup network) {
        network.shutdownGracefully(0, END.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(END.toMillis());
    }

    /** As the store does. */
    private static void checkProtection(InetSocketAddress address, @Nullable Secret secret, @Nullable Tls tls)
            throws IOException {
        boolean isOpen = secret == null && (tls == null || tls.trust() == null);
        if (isOpen && !address.getAddress().isLoopbackAddress() && !"1".equals(System.getenv(INSECURE_VARIABLE))) {
            throw new IOException(
                    "other machines reach the log server at %s, but anybody could write to it: give all processes a secret, %s, or set %s=1 on a network that you trust"
                            .formatted(address.getHostString(), Secret.VARIABLE, INSECURE_VARIABLE));
        }
    }

    private static String reason(IOException failure) {
        return String.valueOf(
                failure.getCause() == null
                        ? failure.getMessage()
                        : failure.getCause().getMessage());
    }

    private static ServerCredentials credentials(@Nullable Tls tls) throws IOException {
        if (tls == null || tls.certificates() == null || tls.key() == null) {
            return InsecureServerCredentials.create();
        }
        TlsServerCredentials.Builder builder = TlsServerCredentials.newBuilder()
                .keyManager(tls.certificates().toFile(), tls.key().toFile());
        if (tls.trust() != null) {
            builder.trustManager(tls.trust().toFile()).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
        }
        return builder.build();
    }

    /** Returns the port at which it serves. */
    public int port() {
        return server.getPort();
    }

    /** As many nodes are going to send lines of this cycle. */
    @Override
    public void entered(int cycle, int nodes) {
        service.expect(cycle, nodes);
    }

    /**
     * Serves on until its clients have gone: they still send their last lines. Does not wait for clients that send nothing for
     * 30 s, nor longer than 2 min; 10 s for nodes that have sent nothing yet, as their ranks ended at once; and but a moment for
     * connections that have not proved that they belong to the job.
     */
    public void awaitLastWords() throws InterruptedException {
        Linger lastWords = new Linger(service.written(), System::nanoTime);
        while (lastWords.mayCome(
                service.written(), doorkeeper.members(), service.silentNodes(), doorkeeper.connections())) {
            Thread.sleep(LOOK.toMillis());
        }
    }

    /** Ends at once; idempotent. Lines that were not acknowledged stay with their nodes. */
    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        server.shutdownNow();
        try {
            server.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS);
            stop(network);
            thread.execute(merger::close);
            thread.shutdown();
            thread.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
