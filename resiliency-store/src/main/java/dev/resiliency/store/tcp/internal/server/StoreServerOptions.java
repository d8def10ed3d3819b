package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.spi.StoreServerProgram;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.store.tcp.internal.wire.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a store server.
 *
 * @param secretFile null: as set in the environment
 * @param tlsCertificate if this, the key and the trust are null: as set in the environment
 * @param isInsecure false: as set in the environment
 * @param limits the limits that differ from the defaults
 * @param stats the interval between two lines of statistics; null for none
 */
record StoreServerOptions(
        String host,
        int port,
        @Nullable Path secretFile,
        @Nullable Path tlsCertificate,
        @Nullable Path tlsKey,
        @Nullable Path tlsTrust,
        boolean isInsecure,
        boolean speaksPyTorch,
        boolean isPyTorchBesideSecret,
        Map<StoreLimit, Long> limits,
        @Nullable Duration stats,
        boolean isHelp) {
    private static final String HELP = """
            usage: %s [OPTION]...
            Serves a store until SIGTERM ends it.

              --host HOST         the address to listen on; 127.0.0.1 by default
              --port PORT         the port to listen on; 29500 by default, 0 for any free one
              --secret-file FILE  the secret that clients must have; RESILIENCY_STORE_SECRET_FILE by default
              --tls-cert FILE     encrypt connections, with this certificate and its chain (PEM), and
              --tls-key FILE      its private key (PEM, PKCS#8, no password)
              --tls-trust FILE    require certificates of clients, signed by one of these (PEM). By default the files
                                  named by RESILIENCY_STORE_TLS_CERT, _KEY and _TRUST
              --insecure          serve other machines without a secret and TLS, as RESILIENCY_STORE_INSECURE=1
              --pytorch           admit clients of PyTorch's TCPStore as well
              --pytorch-beside-secret  admit them although they cannot prove the secret
              --stats SECONDS     print the number of connections, keys, bytes and requests at this interval
              --help              print this help

            Limits:
            """ + helpOnLimits();

    private static final int PORT = 29500; // as PyTorch's
    private static final Set<String> FLAGS = Set.of("--insecure", "--pytorch", "--pytorch-beside-secret", "--help");
    private static final Set<String> WITH_VALUE =
            Set.of("--host", "--port", "--secret-file", "--tls-cert", "--tls-key", "--tls-trust", "--stats");
    private static final Map<String, StoreLimit> LIMITS =
            Arrays.stream(StoreLimit.values()).collect(Collectors.toMap(limit -> "--" + limit, limit -> limit));

    /** Returns the TLS of the files; null without any. */
    @Nullable
    Tls tls() {
        return Tls.ofFiles(tlsCertificate, tlsKey, tlsTrust);
    }

    /** Returns all options. */
    static List<StoreServerProgram.Option> all() {
        return Stream.of(FLAGS, WITH_VALUE, LIMITS.keySet())
                .flatMap(Set::stream)
                .sorted()
                .map(name -> new StoreServerProgram.Option(name, !FLAGS.contains(name)))
                .toList();
    }

    /** Returns the help of a program of this name. */
    static String help(String program) {
        return HELP.replace("%s", program);
    }

    private static String helpOnLimits() {
        return Arrays.stream(StoreLimit.values())
                .map(limit -> "  --%-21s %s; %,d by default".formatted(limit, limit.meaning(), limit.byDefault()))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Parses a command line.
     *
     * @throws IllegalArgumentException with a one-line message that names the problem
     */
    static StoreServerOptions parse(List<String> arguments) {
        Map<String, String> given = given(arguments);
        if (given.containsKey("--tls-cert") != given.containsKey("--tls-key")) {
            throw new IllegalArgumentException("--tls-cert and --tls-key belong together; see --help");
        }
        Map<StoreLimit, Long> limits = new EnumMap<>(StoreLimit.class);
        LIMITS.forEach((option, limit) -> {
            if (given.containsKey(option)) {
                limits.put(limit, number(given, option, limit.byDefault(), 1, Long.MAX_VALUE));
            }
        });
        long stats = number(given, "--stats", 0, 1, Integer.MAX_VALUE);
        return new StoreServerOptions(
                given.getOrDefault("--host", "127.0.0.1"),
                (int) number(given, "--port", PORT, 0, Ports.MAX),
                path(given, "--secret-file"),
                path(given, "--tls-cert"),
                path(given, "--tls-key"),
                path(given, "--tls-trust"),
                given.containsKey("--insecure"),
                given.containsKey("--pytorch"),
                given.containsKey("--pytorch-beside-secret"),
                limits,
                stats == 0 ? null : Duration.ofSeconds(stats),
                given.containsKey("--help"));
    }

    private static Map<String, String> given(List<String> arguments) {
        Map<String, String> given = new HashMap<>();
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            if (FLAGS.contains(option)) {
                given.put(option, "");
            } else if (!WITH_VALUE.contains(option) && !LIMITS.containsKey(option)) {
                throw new IllegalArgumentException("there is no option " + option + "; see --help");
            } else if (!rest.hasNext()) {
                throw new IllegalArgumentException(option + " needs a value; see --help");
            } else {
                given.put(option, rest.next());
            }
        }
        return given;
    }

    private static @Nullable Path path(Map<String, String> given, String option) {
        String file = given.get(option);
        return file == null ? null : Path.of(file);
    }

    private static long number(Map<String, String> given, String option, long byDefault, long min, long max) {
        String text = given.get(option);
        if (text == null) {
            return byDefault;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw new IllegalArgumentException(
                "%s must be a number from %d to %d, not %s".formatted(option, min, max, text));
    }
}
