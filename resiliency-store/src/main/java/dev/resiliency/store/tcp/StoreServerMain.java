package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.internal.Statistics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The program that serves a store for itself, so that it outlives every rank. Its exit code is 2 for a wrong command
 * line and 1 if it cannot start.
 */
final class StoreServerMain {
    private static final int CANNOT_START = 1;
    private static final int WRONG_USE = 2;

    private StoreServerMain() {}

    /** See {@link StoreServerOptions#HELP}. */
    public static void main(String[] arguments) throws InterruptedException {
        try {
            StoreServerOptions options = StoreServerOptions.parse(List.of(arguments));
            if (options.isHelp()) {
                System.out.println(StoreServerOptions.HELP);
            } else {
                serve(options);
            }
        } catch (IllegalArgumentException wrongUse) {
            fail(WRONG_USE, wrongUse);
        } catch (StoreException cannotStart) {
            fail(CANNOT_START, cannotStart);
        }
    }

    private static void fail(int exitCode, RuntimeException why) {
        System.err.println("store server: " + String.valueOf(why.getMessage()).replaceFirst("^store server: ", ""));
        System.exit(exitCode);
    }

    private static void serve(StoreServerOptions options) throws InterruptedException {
        TcpStoreServer server = start(options);
        // Closing takes a few seconds at most, and tells the clients at once.
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "resiliency-store-shutdown"));
        System.out.printf("Store listens on %s:%d%n", server.host(), server.port());
        Duration stats = options.stats();
        if (stats != null) {
            report(server, stats);
        }
        new CountDownLatch(1).await(); // until a signal ends the process
    }

    private static TcpStoreServer start(StoreServerOptions options) throws InterruptedException {
        TcpStoreServer.Builder builder = TcpStoreServer.builder()
                .host(options.host())
                .port(options.port())
                .pytorch(options.speaksPyTorch())
                .pytorchBesideSecret(options.isPyTorchBesideSecret());
        if (options.secretFile() != null) {
            builder.secret(Secret.ofFile(options.secretFile()));
        }
        if (options.isInsecure()) {
            builder.insecure(true);
        }
        return builder.start();
    }

    private static void report(TcpStoreServer server, Duration interval) throws InterruptedException {
        long requests = 0;
        for (Statistics now = server.statistics(); now != null; now = server.statistics()) {
            System.out.printf(
                    "%d connections, %d keys, %.1f requests/s%n",
                    now.connections(),
                    now.holdings().keys(),
                    (double) (now.requests() - requests) / interval.toSeconds());
            requests = now.requests();
            Thread.sleep(interval.toMillis());
        }
    }
}
