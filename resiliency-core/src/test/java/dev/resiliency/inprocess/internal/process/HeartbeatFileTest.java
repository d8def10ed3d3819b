package dev.resiliency.inprocess.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class HeartbeatFileTest {

    @Test
    void newFileIsFreshAndInNoIteration() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(3, 17)) {
            assertThat(file.path().getFileName().toString()).startsWith("resiliency-heartbeat-r3-");
            assertThat(file.iteration()).isEqualTo(-1);
            assertThat(file.automatic()).isEqualTo(17);
            assertThat(file.manual()).isEqualTo(HeartbeatFile.NEVER);
        }
    }

    @Test
    void whatIsWrittenIsReadByWhoeverHasOpenedTheFile() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(0, 0)) {
            HeartbeatFile other = HeartbeatFile.open(file.path());

            file.enter(5);
            file.stamp(Long.MIN_VALUE, Long.MAX_VALUE);

            assertThat(other.iteration()).isEqualTo(5);
            assertThat(other.automatic()).isEqualTo(Long.MIN_VALUE);
            assertThat(other.manual()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void closingDeletesTheFileEvenIfItIsGone() throws Exception {
        HeartbeatFile file = HeartbeatFile.create(0, 0);

        file.close();

        assertThat(Files.exists(file.path())).isFalse();
        file.close();
    }

    @Test
    void whatWasReadStaysReadableWhenTheFileIsGone() throws Exception {
        HeartbeatFile file = HeartbeatFile.create(0, 0);
        HeartbeatFile other = HeartbeatFile.open(file.path());
        file.enter(7);

        file.close();

        assertThat(other.iteration()).isEqualTo(7);
    }
}
