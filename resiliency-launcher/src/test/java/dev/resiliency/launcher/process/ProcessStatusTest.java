package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessStatusTest {
    private static ProcessStatus self() {
        return ProcessStatus.of(ProcessHandle.current().pid()).orElseThrow();
    }

    @Test
    void programMayHaveAnyName() {
        String line = "4711 (a) Z (b c) S 1 4700 4699 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 11 12 13";

        assertThat(ProcessStatus.parse(line)).isEqualTo(new ProcessStatus(4711, 'S', 4700, 4699, 987654));
    }

    @Test
    void thisProcessIsAliveAndHasItsVariables() throws Exception {
        ProcessStatus self = self();

        assertThat(self.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(self.isAlive()).isTrue();
        assertThat(self.hasVariable("PATH", System.getenv("PATH"))).isTrue();
        assertThat(self.hasVariable("PATH", "elsewhere")).isFalse();
    }

    @Test
    void thereIsNoProcessOfAnIdThatNoneCanHave() {
        assertThat(ProcessStatus.of(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void processThatWaitsToBeReapedDoesNotRun() {
        assertThat("RSDTtI".chars().mapToObj(state -> new ProcessStatus(7, (char) state, 7, 7, 1)))
                .allMatch(ProcessStatus::isAlive);
        assertThat("ZX".chars().mapToObj(state -> new ProcessStatus(7, (char) state, 7, 7, 1)))
                .noneMatch(ProcessStatus::isAlive);
    }

    @Test
    void idThatIsUsedAgainIsAnotherProcess() {
        ProcessStatus self = self();

        assertThat(ProcessStatus.isAlive(self.pid(), self.startTicks())).isTrue();
        assertThat(ProcessStatus.isAlive(self.pid(), self.startTicks() + 1)).isFalse();
        assertThat(ProcessStatus.isAlive(Long.MAX_VALUE, self.startTicks())).isFalse();
    }

    @Test
    void allProcessesIncludeThisOne() throws IOException {
        assertThat(ProcessStatus.all()).extracting(ProcessStatus::pid).contains(self().pid());
    }

    @Test
    void processIsAJvmIfItHasItsLibrary() throws IOException {
        assertThat(ProcessStatus.isJvm(self().pid())).isTrue();
        assertThat(ProcessStatus.isJvm(Long.MAX_VALUE)).isFalse();
        Process sleep = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(ProcessStatus.isJvm(sleep.pid())).isFalse();
        } finally {
            sleep.destroyForcibly();
        }
    }

    @Test
    void firstVariableOfANameCounts() {
        assertThat(ProcessStatus.variables(List.of("A=b=c", "EMPTY=", "no variable", "A=d")))
                .isEqualTo(Map.of("A", "b=c", "EMPTY", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "SigCgt, 0000000000000001, 1",
        "SigCgt, 0000000000004000, 16384",
        "SigCgt, ffffffffffffffff, -1",
        "SigIgn, 0000000000000001, 0"
    })
    void caughtSignalsAreAMask(String field, String digits, long mask) {
        String status = "Name:\tjava\nSigBlk:\t0000000000000004\n%s:\t%s\nCpus_allowed:\t3\n".formatted(field, digits);

        assertThat(ProcessStatus.caught(status)).isEqualTo(mask);
    }

    @Test
    void jvmHandlesWhatItDoesNotNeedItself() {
        assertThat(ProcessStatus.handles(self().pid(), "SEGV")).isTrue();
        assertThat(ProcessStatus.handles(self().pid(), "KILL")).isFalse();
        assertThat(ProcessStatus.handles(self().pid(), "USR2"))
                .as("suspends its threads")
                .isFalse();
        assertThat(ProcessStatus.handles(Long.MAX_VALUE, "SEGV")).isFalse();
    }

    @Test
    void jvmSuspendsItsThreadsByAnotherSignalIfItIsToldSo() {
        assertThat(JvmSuspension.uses("USR2", Map.of())).isTrue();
        assertThat(JvmSuspension.uses("USR2", Map.of("_JAVA_SR_SIGNUM", "12"))).isTrue();
        assertThat(JvmSuspension.uses("USR2", Map.of("_JAVA_SR_SIGNUM", "50"))).isFalse();
        assertThat(JvmSuspension.uses("USR1", Map.of())).isFalse();
    }
}
