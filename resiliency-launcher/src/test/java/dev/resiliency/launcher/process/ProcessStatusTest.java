package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessStatusTest {
    @Test
    void programMayHaveAnyName() {
        String line = "4711 (a) Z (b c) S 1 4700 4699 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 11 12 13";

        assertThat(ProcessStatus.parse(line)).isEqualTo(new ProcessStatus(4711, 'S', 4700, 4699, 987654));
    }

    @Test
    void thisProcessIsAliveAndHasItsVariables() {
        ProcessStatus self = ProcessStatus.of(ProcessHandle.current().pid()).orElseThrow();

        assertThat(self.isAlive()).isTrue();
        assertThat(self.hasVariable("PATH", System.getenv("PATH"))).isTrue();
        assertThat(self.hasVariable("PATH", "elsewhere")).isFalse();
    }

    @Test
    void thereIsNoProcessOfAnIdThatNoneCanHave() {
        assertThat(ProcessStatus.of(Long.MAX_VALUE)).isEmpty();
    }
}
