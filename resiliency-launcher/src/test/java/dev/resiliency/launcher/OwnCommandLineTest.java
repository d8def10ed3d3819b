package dev.resiliency.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OwnCommandLineTest {
    private static OwnCommandLine of(String... arguments) {
        return OwnCommandLine.parse(String.join("\0", arguments) + "\0", "/opt/java/bin/java");
    }

    @Test
    void argumentsStayAsTheyWere() {
        assertThat(of("java", "-Da=b c", "", "Train", "a  b").command())
                .containsExactly("/opt/java/bin/java", "-Da=b c", "", "Train", "a  b");
    }

    @Test
    void argumentsOfAnotherProgramAreRefused() {
        OwnCommandLine commandLine = of("java", "Train", "a", "b");

        assertThat(commandLine.checked(List.of("a", "b"))).isSameAs(commandLine);
        assertThat(commandLine.checked(List.of())).isSameAs(commandLine);
        assertThatThrownBy(() -> commandLine.checked(List.of("b", "a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs the arguments of main, unchanged");
    }

    @Test
    void argumentFileMayHaveTheArguments() {
        assertThat(of("java", "@train.args").checked(List.of("a")).command())
                .containsExactly("/opt/java/bin/java", "@train.args");
    }
}
