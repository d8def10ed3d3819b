package dev.resiliency.store.tcp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store server is told on its command line.
 *
 * @param secretFile null: what the environment says
 * @param isInsecure false: what the environment says
 * @param stats how often to say what there is to do; null: never
 */
record StoreServerOptions(
        String host,
        int port,
        @Nullable Path secretFile,
        boolean isInsecure,
        boolean speaksPyTorch,
        boolean isPyTorchBesideSecret,
        @Nullable Duration stats,
        boolean isHelp) {
    static final String HELP = """
            usage: java -cp CLASSPATH dev.resiliency.store.tcp.StoreServerMain [OPTION]...
            Serves a store until it is ended by SIGTERM.

              --host HOST         the address to listen on; 127.0.0.1 by default
              --port PORT         the port to listen on; 29500 by default, 0 for any that is free
              --secret-file FILE  what clients must know; by default the file that RESILIENCY_STORE_SECRET_FILE names
              --insecure          without a secret, serve other machines all the same, as RESILIENCY_STORE_INSECURE=1
              --pytorch           let clients of PyTorch's TCPStore in as well
              --pytorch-beside-secret  let them in although they cannot prove the secret
              --stats SECONDS     say every so often how many connections, keys and requests there are
              --help              print this""";

    private static final int PORT = 29500; // as PyTorch's
    private static final int MAX_PORT = 65535;

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException with one line that says what is wrong with it
     */
    static StoreServerOptions parse(List<String> arguments) {
        String host = "127.0.0.1";
        int port = PORT;
        Path secretFile = null;
        boolean isInsecure = false;
        boolean speaksPyTorch = false;
        boolean isPyTorchBesideSecret = false;
        Duration stats = null;
        boolean isHelp = false;
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--host" -> host = value(option, rest);
                case "--port" -> port = number(option, value(option, rest), 0, MAX_PORT);
                case "--secret-file" -> secretFile = Path.of(value(option, rest));
                case "--insecure" -> isInsecure = true;
                case "--pytorch" -> speaksPyTorch = true;
                case "--pytorch-beside-secret" -> isPyTorchBesideSecret = true;
                case "--stats" -> stats = Duration.ofSeconds(number(option, value(option, rest), 1, Integer.MAX_VALUE));
                case "--help" -> isHelp = true;
                default -> throw new IllegalArgumentException("there is no option " + option + "; see --help");
            }
        }
        return new StoreServerOptions(
                host, port, secretFile, isInsecure, speaksPyTorch, isPyTorchBesideSecret, stats, isHelp);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value; see --help");
        }
        return rest.next();
    }

    private static int number(String option, String text, int min, int max) {
        try {
            int number = Integer.parseInt(text);
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
