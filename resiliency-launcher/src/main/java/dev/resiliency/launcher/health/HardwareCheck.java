package dev.resiliency.launcher.health;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@code resiliency-nccl} whether the GPUs, NVLinks and network links of this host can still train. It runs in a process of
 * its own, which a driver in trouble may hang or crash, and lives as long as the check: what is up when it starts must stay up, and
 * the driver reports errors to it from then on.
 */
final class HardwareCheck implements HostCheck {
    private static final String SUBJECT = "GPUs and links";
    private static final String PROGRAM = "dev.resiliency.nccl.internal.health.NodeCheckProgram";
    private static final String OK = "ok: ";
    private static final String UNKNOWN = "unknown: ";

    private final List<String> command;
    private final Duration limit;
    /** Guarded by this; null before the first run, and after an answer was late. */
    private @Nullable AskedProcess process;

    HardwareCheck(List<String> command, Duration limit) {
        this.command = List.copyOf(command);
        this.limit = limit;
    }

    /**
     * Creates a check.
     *
     * @param classPath the jars of {@code resiliency-nccl} and what it needs
     */
    static HardwareCheck of(String classPath, Duration limit) {
        return new HardwareCheck(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        PROGRAM),
                limit);
    }

    @Override
    public synchronized Finding run() throws InterruptedException {
        try {
            if (process == null || !process.isAlive()) {
                process = new AskedProcess(command);
            }
            String answer = process.ask(limit).orElse("");
            if (answer.isEmpty()) {
                close();
                return Finding.warning(
                        SUBJECT,
                        "resiliency-nccl has not answered within %s, so it is not known whether they are healthy"
                                .formatted(Durations.format(limit)));
            }
            return finding(answer);
        } catch (IOException e) {
            if (Shortage.isCauseOf(e)) {
                return Finding.warning(
                        SUBJECT, "they are not checked for now: " + Excerpt.of(String.valueOf(e.getMessage())));
            }
            return Finding.failure(
                    SUBJECT,
                    "resiliency-nccl cannot check them; does --gpu-health-check-classpath name its jar, those of resiliency-core"
                            + " and -store, and what they need? %s"
                                    .formatted(Excerpt.of(String.valueOf(e.getMessage()))));
        }
    }

    private static Finding finding(String answer) {
        if (answer.startsWith(OK)) {
            return Finding.ok(SUBJECT, answer.substring(OK.length()));
        }
        if (answer.startsWith(UNKNOWN)) {
            return Finding.warning(SUBJECT, "GPUs were not checked: " + answer.substring(UNKNOWN.length()));
        }
        return Finding.failure(SUBJECT, answer.substring(answer.indexOf(' ') + 1));
    }

    @Override
    public synchronized void close() {
        if (process != null) {
            process.close();
            process = null;
        }
    }
}
