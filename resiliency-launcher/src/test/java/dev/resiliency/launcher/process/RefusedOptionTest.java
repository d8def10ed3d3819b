package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusedOptionTest {
    private static final String NO_JVM = "Error: Could not create the Java Virtual Machine.";

    @Test
    void lineWithTheOptionIsReturned() {
        String refusal = "Unrecognized VM option 'UseSerialGCC'";

        assertThat(RefusedOption.in(List.of(refusal, NO_JVM))).contains(refusal);
        assertThat(RefusedOption.in(List.of("Invalid maximum heap size: -Xmx64q", NO_JVM)))
                .contains("Invalid maximum heap size: -Xmx64q");
    }

    @Test
    void jvmWithoutRoomMayHaveItTheNextTime() {
        assertThat(RefusedOption.in(List.of("Could not reserve enough space for 8388608KB object heap", NO_JVM)))
                .isEmpty();
    }

    @Test
    void optionOfAProgramIsNone() {
        assertThat(RefusedOption.in(List.of("Unrecognized option: --epochs"))).isEmpty();
    }
}
