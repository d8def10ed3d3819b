package dev.resiliency.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosisTest {
    @Test
    void stateOfAProcessIsWhatTheKernelSays() {
        assertThat(Diagnosis.state(Path.of("/proc/self/status"))).matches("State:\\s+\\w \\(.*\\)");
    }

    /** A directory is opened, and cannot be read, as the file of a process that has ended in between. */
    @Test
    void processThatEndsWhileItIsLookedAtHasEnded(@TempDir Path unreadable) {
        assertThat(Diagnosis.state(unreadable)).isEqualTo("State: has ended");
    }
}
