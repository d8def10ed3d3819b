package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.Supervisor;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A program that embeds the launcher has the defaults of the command line, which {@link DocumentedSettingsTest} holds to the document. */
class DefaultsTest {
    private static <T> T command(Class<T> type, String... arguments) {
        return type.cast(ResiliencyCommand.commandLine()
                .parseArgs(arguments)
                .subcommand()
                .commandSpec()
                .userObject());
    }

    @Test
    void agentHasTheDefaultsOfRun() {
        assertThat(command(RunCommand.class, "run", "--", "true").config(Map.of()))
                .usingRecursiveComparison()
                .isEqualTo(LaunchConfig.builder().build());
    }

    @Test
    void supervisorHasTheDefaultsOfSupervise() {
        assertThat(command(SuperviseCommand.class, "supervise", "--", "true").supervisor())
                .usingRecursiveComparison()
                .isEqualTo(Supervisor.builder().build());
    }
}
