package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessMarkTest {
    @Test
    void markOfThisProcessIsWhatLinuxSays() throws IOException {
        ProcessMark here = ProcessMark.ofThisProcess();

        assertThat(here.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(here.ticks())
                .isEqualTo(ProcessStatus.of(here.pid()).orElseThrow().startTicks());
        assertThat("pid:[" + here.namespace() + "]")
                .isEqualTo(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString());
        assertThat(here.boot() + "\n").isEqualTo(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")));
    }

    @Test
    void markIsReadAsItWasWritten() {
        ProcessMark mark = new ProcessMark("4fe2-a0", 4026531836L, 17, 99);

        assertThat(mark).hasToString("4fe2-a0_4026531836_17_99");
        assertThat(ProcessMark.parse(mark.toString())).isEqualTo(mark);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "4fe2_1_2", "4fe2_1_2_3_4", "4FE2_1_2_3", "4fe2_1_2_-3", "4fe2_1_2_1234567890123456789"})
    void otherTextIsNoMark(String text) {
        assertThatThrownBy(() -> ProcessMark.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(text);
    }

    @Test
    void processHasEndedIfAnotherHasItsIdOrTheHostHasBootedSince() throws IOException {
        ProcessMark here = ProcessMark.ofThisProcess();

        assertThat(here.hasEnded(here)).isFalse();
        assertThat(new ProcessMark(here.boot(), here.namespace(), here.pid(), here.ticks() + 1).hasEnded(here))
                .isTrue();
        assertThat(new ProcessMark("0", here.namespace(), here.pid(), here.ticks()).hasEnded(here))
                .isTrue();
        assertThat(new ProcessMark("0", 1, here.pid(), here.ticks()).hasEnded(here))
                .isTrue();
    }

    @Test
    void endOfAProcessInAnotherContainerCannotBeKnown() throws IOException {
        ProcessMark here = ProcessMark.ofThisProcess();

        assertThat(new ProcessMark(here.boot(), here.namespace() + 1, here.pid(), here.ticks() + 1).hasEnded(here))
                .isFalse();
    }
}
