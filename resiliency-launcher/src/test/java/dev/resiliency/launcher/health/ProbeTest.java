package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ProbeTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private static Probe probe(String script) {
        return new Probe(List.of("sh", "-c", script));
    }

    @Test
    void programThatPrintsALotIsReadToItsEndAndItsBeginningIsKept() throws Exception {
        Probe.Result result = probe("echo begin; head -c 3000000 /dev/zero | tr '\\0' x; echo >&2")
                .run(LONG);

        assertThat(result.isSuccess()).isTrue();
        assertThat(result.output()).startsWith("begin\nxxx").hasSize(64 << 10);
    }

    @Test
    void outputGoesIntoNoFile() throws Exception {
        assertThat(probe("stat -Lc %F /proc/self/fd/1").run(LONG).output()).isEqualTo("fifo");
    }

    @Test
    void programThatPrintsForEverIsEnded() throws Exception {
        Probe.Result result = probe("exec yes").run(Duration.ofMillis(200));

        assertThat(result.isLate()).isTrue();
        assertThat(result.output()).hasSizeLessThanOrEqualTo(64 << 10);
    }

    @Test
    void childThatKeepsTheOutputOpenIsNotWaitedFor() throws Exception {
        Probe.Result result = probe("sleep 300 & echo done").run(LONG);

        assertThat(result.isSuccess()).isTrue();
        assertThat(result.output()).isEqualTo("done");
    }
}
