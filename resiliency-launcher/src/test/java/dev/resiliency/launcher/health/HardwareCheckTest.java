package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.health.Finding.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shell scripts answer as the program of resiliency-nccl does, or fail to. */
@Timeout(60)
class HardwareCheckTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private static HardwareCheck check(String script, Duration limit) {
        return new HardwareCheck(List.of("sh", "-c", script), limit);
    }

    @Test
    void oneProcessAnswersAllQuestionsAndEndsWithTheCheck() throws Exception {
        Path pid = directory.resolve("pid");
        HardwareCheck check = check(
                "echo $$ > '%s'; n=0; while read line; do n=$((n + 1)); echo WARN something; echo answer failed: fault $n; done"
                        .formatted(pid),
                LIMIT);
        try (check) {
            assertThat(check.run()).isEqualTo(Finding.failure("GPUs and links", "fault 1"));
            assertThat(check.run()).isEqualTo(Finding.failure("GPUs and links", "fault 2"));
        }
        long process = Long.parseLong(Files.readString(pid).strip());
        await().until(() -> ProcessHandle.of(process).isEmpty());
    }

    @Test
    void hostIsHealthyOrItIsUnknown() throws Exception {
        try (HardwareCheck healthy = check("read line; echo answer ok: 8 GPUs; read line", LIMIT);
                HardwareCheck unknown = check("read line; echo answer unknown: no driver; read line", LIMIT)) {
            assertThat(healthy.run()).isEqualTo(Finding.ok("GPUs and links", "8 GPUs"));
            assertThat(unknown.run()).isEqualTo(Finding.warning("GPUs and links", "GPUs were not checked: no driver"));
        }
    }

    @Test
    void processThatCannotCheckFailsWithWhatItPrints() throws Exception {
        try (HardwareCheck missing = HardwareCheck.of(directory.toString(), LIMIT);
                HardwareCheck absent = new HardwareCheck(List.of("/absent/java"), LIMIT)) {
            Finding found = missing.run();

            assertThat(found.severity()).isEqualTo(Severity.FAILURE);
            assertThat(found.text())
                    .contains("--gpu-health-check-classpath", "Could not find or load main class dev.resiliency.nccl");
            assertThat(absent.run().text()).contains("/absent/java");
        }
    }

    @Test
    void lateAnswerIsUnknownAndIsNotTakenForTheNext() throws Exception {
        Path again = directory.resolve("again");
        String script = "if [ -e '%1$s' ]; then read line; echo answer ok: now; else : > '%1$s'; fi; exec sleep 1000"
                .formatted(again);
        try (HardwareCheck check = check(script, Duration.ofSeconds(5))) {
            Finding late = check.run();
            Finding next = check.run();

            assertThat(late.severity()).isEqualTo(Severity.WARNING);
            assertThat(late.text()).startsWith("resiliency-nccl has not answered within 5s");
            assertThat(next).isEqualTo(Finding.ok("GPUs and links", "now"));
        }
    }

    @Test
    void processThatDiesIsStartedAgain() throws Exception {
        Path again = directory.resolve("again");
        String script = "read line; echo answer ok: 8 GPUs; if [ -e '%1$s' ]; then read line; else : > '%1$s'; fi"
                .formatted(again);
        try (HardwareCheck check = check(script, LIMIT)) {
            assertThat(check.run().severity()).isEqualTo(Severity.OK);
            await().untilAsserted(() -> assertThat(check.run().severity()).isEqualTo(Severity.OK));
        }
    }
}
