package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.spi.StoreServerProgram;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A standalone store server, which outlives every rank. Its exit code is 0 when a signal ends it, 1 if it cannot start,
 * and 2 for an invalid command line.
 *
 * <p>Thread: {@code resiliency-store-shutdown}, which closes the server when a signal ends the program. It exits with 0
 * then, since service managers take 143, with which a JVM would exit, for a failure.
 */
public final class StoreServerMain implements StoreServerProgram {
    private static final int CANNOT_START = 1;
    private static final int WRONG_USE = 2;
    private static final Duration OWN_SESSION_LIMIT = Duration.ofSeconds(20);
    private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

    /** Creates it for {@link StoreServerProgram#find}. */
    public StoreServerMain() {}

    /** See {@link StoreServerOptions#help}. */
    public static void main(String[] arguments) throws InterruptedException {
        new StoreServerMain().run("java -jar resiliency-store-server.jar", List.of(arguments), null);
    }

    @Override
    public List<Option> options() {
        return StoreServerOptions.all();
    }

    @Override
    public void run(String name, List<String> arguments, @Nullable Consumer<? super SessionStore> beside)
            throws InterruptedException {
        logReadably();
        lookForNoLeaks();
        try {
            StoreServerOptions options = StoreServerOptions.parse(arguments);
            if (options.isHelp()) {
                System.out.println(StoreServerOptions.help(name));
            } else {
                serve(options, beside);
            }
        } catch (IllegalArgumentException wrongUse) {
            fail(WRONG_USE, wrongUse);
        } catch (StoreException cannotStart) {
            fail(CANNOT_START, cannotStart);
        }
    }

    /** Configures the logging library in the server's own jar, which logs to standard error. */
    private static void logReadably() {
        System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
        System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd HH:mm:ss.SSS");
        System.setProperty("org.slf4j.simpleLogger.showThreadName", "false");
        System.setProperty("org.slf4j.simpleLogger.showShortLogName", "true");
    }

    /**
     * Switches off Netty's leak detection, which records where every hundredth buffer was allocated and makes a restart
     * of 16,384 ranks 3 % slower.
     */
    private static void lookForNoLeaks() {
        System.setProperty(LEAK_DETECTION, System.getProperty(LEAK_DETECTION, "disabled"));
    }

    private static void fail(int exitCode, RuntimeException why) {
        System.err.println("store server: " + String.valueOf(why.getMessage()).replaceFirst("^store server: ", ""));
        System.exit(exitCode);
    }

    private static void serve(StoreServerOptions options, @Nullable Consumer<? super SessionStore> beside)
            throws InterruptedException {
        Server server = start(options);
        TcpStore own = beside == null ? null : connect(server, options);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, own), "resiliency-store-shutdown"));
        if (beside != null && own != null) {
            beside.accept(own);
        }
        System.out.printf("Store listens on %s:%d%n", server.host(), server.port());
        warnOfHeap(options);
        Duration stats = options.stats();
        if (stats != null) {
            report(server, stats);
        }
        new CountDownLatch(1).await(); // until a signal ends the process
    }

    /** Returns a session of this process; null if the server does not accept it. */
    private static @Nullable TcpStore connect(Server server, StoreServerOptions options) throws InterruptedException {
        TcpStore.Builder builder = TcpStore.builder()
                .name("own")
                .host(server.host())
                .port(server.port())
                .connectTimeout(OWN_SESSION_LIMIT);
        if (options.secretFile() != null) {
            builder.secret(Secret.ofFile(options.secretFile()));
        }
        Tls tls = options.tls() == null ? Tls.fromEnvironment() : options.tls();
        if (tls != null) {
            Path trusted = tls.trust() == null ? tls.certificates() : tls.trust();
            builder.tls(new Tls(tls.certificates(), tls.key(), trusted, false));
        }
        try {
            return builder.connect();
        } catch (StoreException refused) {
            System.err.println(
                    "store server: it refuses its own process as a client, so nobody answers for the clock of this host: "
                            + refused.getMessage());
            return null;
        }
    }

    /** Closes the server within a few seconds; the clients learn of it at once. */
    private static void end(Server server, @Nullable TcpStore own) {
        if (own != null) {
            own.close();
        }
        server.close();
        System.out.printf("Store on %s:%d has ended%n", server.host(), server.port());
        System.out.flush();
        // The exit code of a process that a signal ended would count as a failure.
        Runtime.getRuntime().halt(0);
    }

    private static Server start(StoreServerOptions options) throws InterruptedException {
        ServerBuilder builder = new ServerBuilder();
        builder.host(options.host())
                .port(options.port())
                .pytorch(options.speaksPyTorch())
                .pytorchBesideSecret(options.isPyTorchBesideSecret());
        options.limits().forEach(builder::limit);
        if (options.secretFile() != null) {
            builder.secret(Secret.ofFile(options.secretFile()));
        }
        if (options.tls() != null) {
            builder.tls(options.tls());
        }
        if (options.isInsecure()) {
            builder.insecure(true);
        }
        return builder.start();
    }

    private static void warnOfHeap(StoreServerOptions options) {
        long limit = options.limits().getOrDefault(StoreLimit.TOTAL_BYTES, StoreLimit.TOTAL_BYTES.byDefault());
        String advice = heapAdvice(Runtime.getRuntime().maxMemory(), limit);
        if (advice != null) {
            System.err.println("store server: " + advice);
        }
    }

    /**
     * Returns what to do about a heap that is too small; null if it is not.
     *
     * @param heap in bytes as the JVM reports it, without a survivor space: up to an eighth less than {@code -Xmx}
     */
    static @Nullable String heapAdvice(long heap, long limit) {
        long least = 2 * limit;
        if (heap >= least - least / 8) {
            return null;
        }
        return "a heap of %d MiB is too small for a store of %d MiB; start java with -Xmx%dm, or set a smaller --%s"
                .formatted(heap >> 20, limit >> 20, least >> 20, StoreLimit.TOTAL_BYTES);
    }

    private static void report(Server server, Duration interval) throws InterruptedException {
        long requests = 0;
        for (Statistics now = server.statistics(); now != null; now = server.statistics()) {
            System.out.printf(
                    "%d connections, %d keys, %d bytes, %.1f requests/s%n",
                    now.connections(),
                    now.holdings().keys(),
                    now.holdings().bytes(),
                    (double) (now.requests() - requests) / interval.toSeconds());
            requests = now.requests();
            Thread.sleep(interval.toMillis());
        }
    }
}
