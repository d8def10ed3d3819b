package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.ReportSettings.ManagedService;
import dev.resiliency.launcher.attribution.service.AnalysisServer;
import dev.resiliency.launcher.attribution.service.AnalysisSettings;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.ReceivedSignals;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code resiliency attribution serve}. */
@Command(
        name = "serve",
        description =
                "Serves as the attribution service of jobs whose logs are in a directory of this host, until SIGTERM ends it: 'resiliency"
                        + " run --attribution-endpoint http://HOST:50050' and nvidia-resiliency-ext's ft_launcher submit logs to it."
                        + " 'resiliency run --attribution-endpoint localhost' runs one itself.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AttributionServerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--log-directory",
            required = true,
            paramLabel = "DIRECTORY",
            description = "Where the logs are: the service reads no file outside of it.")
    private Path directory = Path.of("");

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "At which address to listen; ${DEFAULT-VALUE} by default. Whoever reaches it can ask about the logs.")
    private InetAddress host = InetAddress.getLoopbackAddress();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + ManagedService.DEFAULT_PORT,
            description = "At which port to listen; ${DEFAULT-VALUE} by default.")
    private int port;

    @Mixin
    private ModelOptions model = new ModelOptions();

    @Option(names = "--ends-with-input", hidden = true, description = "Ends with its standard input.")
    private boolean endsWithInput;

    @Override
    @SuppressWarnings("try") // the signals only need to be received
    public Integer call() throws IOException, InterruptedException {
        ManagedService settings;
        try {
            settings = model.service(ManagedService.DEFAULT_PORT, ManagedService.DEFAULT_STARTUP);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        LauncherLog log = LauncherLog.ofAttributionService();
        CountDownLatch isStopped = new CountDownLatch(1);
        try (AnalysisServer server = AnalysisServer.start(
                        new InetSocketAddress(host, port),
                        new AnalysisSettings(directory, modelOf(settings), settings.export()),
                        log::line);
                ReceivedSignals signals = ReceivedSignals.receive(signal -> isStopped.countDown(), signal -> {})) {
            log.line("serves the logs in %s at %s:%d, with %s"
                    .formatted(directory, host.getHostAddress(), server.port(), settings.sources()));
            if (endsWithInput) {
                awaitEndOfInput();
            } else {
                isStopped.await();
            }
        }
        return ExitCode.COMPLETED;
    }

    private static AnalysisSettings.@Nullable Model modelOf(ManagedService settings) throws IOException {
        if (settings.modelAddress() == null || settings.model() == null) {
            return null;
        }
        String problem = settings.problemOfKey(System.getenv());
        Path file = settings.keyFile(System.getenv());
        if (problem != null || file == null) {
            throw new IOException(problem);
        }
        return new AnalysisSettings.Model(settings.modelAddress(), settings.model(), file);
    }

    /** Whoever has started this process holds the other end, and lets it go whatever ends him. */
    private static void awaitEndOfInput() throws IOException {
        InputStream input = System.in;
        while (input.read() >= 0) {
            // Nothing is said over it.
        }
    }
}
