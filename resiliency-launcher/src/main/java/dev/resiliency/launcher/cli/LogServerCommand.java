package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.LogSettings;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.server.LogServer;
import dev.resiliency.launcher.process.ReceivedSignals;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code resiliency logs serve}. */
@Command(
        name = "serve",
        description =
                "Serves as the log server of a job whose store is not hosted by an agent, on the host of that store, until SIGTERM"
                        + " ends it. The secret and TLS are those of the store.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class LogServerCommand implements Callable<Integer> {
    @Option(
            names = {"--per-cycle-applog-prefix", "--ft-per-cycle-applog-prefix"},
            required = true,
            paramLabel = "PREFIX",
            description = "Where the lines of all nodes are merged: PREFIX_cycleN.log.")
    private Path prefix = Path.of("");

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "At which address to listen; ${DEFAULT-VALUE} by default.")
    private InetAddress host = InetAddress.getLoopbackAddress();

    @Option(
            names = {"--log-server-port", "--ft-log-server-port"},
            paramLabel = "PORT",
            defaultValue = "" + LogSettings.DEFAULT_PORT,
            description = "At which port to listen; ${DEFAULT-VALUE} by default.")
    private int port;

    @Option(
            names = "--rdzv-id",
            paramLabel = "NAME",
            description = "The name of the job; by default that of RESILIENCY_JOB_ID, Slurm or torchrun, or 'default'.")
    private @Nullable String jobId;

    @Override
    @SuppressWarnings("try") // the signals only need to be received
    public Integer call() throws IOException, InterruptedException {
        LauncherLog log = LauncherLog.ofLogServer();
        String job = jobId == null ? JobVariables.jobId(System.getenv()) : JobVariables.check(jobId);
        CountDownLatch isStopped = new CountDownLatch(1);
        try (LogServer server = LogServer.start(
                        new InetSocketAddress(host, port),
                        job,
                        LogFiles.of(prefix),
                        Secret.fromEnvironment(),
                        Tls.fromEnvironment(),
                        log::line);
                ReceivedSignals signals = ReceivedSignals.receive(signal -> isStopped.countDown(), signal -> {})) {
            log.line("serves job '%s' at %s:%d".formatted(job, host.getHostAddress(), server.port()));
            isStopped.await();
        }
        return ExitCode.COMPLETED;
    }
}
