package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ReportSettings.ManagedService;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.http.Requests;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.store.spi.guard.OwnFiles;
import dev.resiliency.store.spi.guard.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attribution service that this agent runs: a process of its own, so that nothing it reads can disturb the agent. It is started
 * again when it ends, and ends with the agent, whatever ends that: it reads the input that only the agent holds open.
 *
 * <p>Threads: {@code resiliency-attribution-process}, which keeps it running; {@code resiliency-attribution-output}, which
 * keeps its last lines.
 */
final class AttributionProcess implements AutoCloseable {
    private static final String PROGRAM = "dev.resiliency.launcher.cli.ResiliencyCommand";
    private static final String MODULE = "dev.resiliency.launcher";
    private static final Duration REQUEST = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final ManagedService settings;
    private final List<String> command;
    private final Path output;
    private final LauncherLog log;
    private final Requests requests = new Requests(REQUEST);
    private final Thread thread = new Thread(this::run, "resiliency-attribution-process");

    private AttributionProcess(ManagedService settings, List<String> command, Path output, LauncherLog log) {
        this.settings = settings;
        this.command = command;
        this.output = output;
        this.log = log;
    }

    /**
     * Starts the service; nobody waits until it answers.
     *
     * @param variables of this process
     * @throws IOException if it cannot do what is asked for; says why
     */
    static AttributionProcess start(
            ManagedService settings, LogFiles logs, Map<String, String> variables, LauncherLog log) throws IOException {
        String problem = settings.problemOfKey(variables);
        if (problem != null) {
            throw new IOException(problem);
        }
        AttributionProcess started = new AttributionProcess(
                settings, command(settings, logs.directory(), settings.keyFile(variables)), logs.ofAttribution(), log);
        started.thread.setDaemon(true);
        started.thread.start();
        return started;
    }

    private static List<String> command(ManagedService settings, Path directory, @Nullable Path keyFile)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData"));
        String classPath = System.getProperty("java.class.path", "");
        String modules = System.getProperty("jdk.module.path", "");
        if (!classPath.isEmpty() && ClassLoader.getSystemResource("picocli/CommandLine.class") == null) {
            throw new IOException("an attribution service of this agent needs info.picocli:picocli on the class path");
        }
        command.addAll(
                classPath.isEmpty()
                        ? List.of("-p", modules, "--add-modules", "info.picocli", "-m", MODULE + "/" + PROGRAM)
                        : List.of("-cp", classPath, PROGRAM));
        command.addAll(List.of(
                "attribution",
                "serve",
                "--ends-with-input",
                "--log-directory=" + directory,
                "--port=" + settings.port()));
        if (settings.model() != null) {
            command.addAll(List.of(
                    "--attribution-llm-base-url=" + settings.modelAddress(),
                    "--attribution-llm-model=" + settings.model(),
                    "--attribution-llm-api-key-file=" + keyFile));
        }
        if (settings.export() != null) {
            command.add("--attribution-export-url=" + settings.export());
        }
        return List.copyOf(command);
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        try {
            while (true) {
                boolean wasReady = false;
                String end;
                try {
                    Process process = Processes.start(new ProcessBuilder(command).redirectErrorStream(true));
                    try {
                        keepOutput(process);
                        wasReady = awaitReady(process);
                        end = "has ended with exit code " + process.waitFor();
                    } finally {
                        end(process);
                    }
                } catch (IOException e) {
                    end = "could not be started: " + e.getMessage();
                }
                pause = wasReady ? FIRST_PAUSE : pause;
                log.line("the attribution service %s; it is started again in %s. Its lines are in %s"
                        .formatted(end, Durations.format(pause), output));
                Thread.sleep(pause.toMillis());
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepOutput(Process process) {
        Thread reader = new Thread(() -> keep(process.getInputStream()), "resiliency-attribution-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Reads on if the lines cannot be kept: else the service would wait for that. */
    private void keep(InputStream lines) {
        try {
            try (OutputStream file = Channels.newOutputStream(OwnFiles.append(output))) {
                lines.transferTo(file);
            } catch (IOException e) {
                log.line("the lines of the attribution service cannot be kept in %s: %s"
                        .formatted(output, e.getMessage()));
                lines.transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException ended) {
            // So has the service, or it was killed.
        }
    }

    /** Returns whether it answers before it ends. */
    private boolean awaitReady(Process process) throws InterruptedException {
        long start = System.nanoTime();
        boolean isLate = false;
        while (!process.waitFor(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            try {
                requests.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + settings.port() + "/healthz")));
                log.line("the attribution service answers at http://localhost:%d, with %s"
                        .formatted(settings.port(), settings.sources()));
                return true;
            } catch (IOException notYet) {
                if (!isLate && System.nanoTime() - start > settings.startup().toNanos()) {
                    isLate = true;
                    log.line("the attribution service does not answer after %s: %s. Reports need none"
                            .formatted(Durations.format(settings.startup()), notYet.getMessage()));
                }
            }
        }
        return false;
    }

    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurried) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the service. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(2 * GRACE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
