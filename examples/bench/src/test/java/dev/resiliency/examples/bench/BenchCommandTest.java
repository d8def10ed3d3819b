package dev.resiliency.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.CommandRun;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {

    @Test
    void helpListsEveryBenchmark() {
        assertThat(help())
                .containsPattern("(?m)^  store ")
                .containsPattern("(?m)^  restart ")
                .containsPattern("(?m)^  launch ")
                .containsPattern("(?m)^  chaos ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "restart", "launch", "chaos"})
    void helpOfABenchmarkNamesItsScript(String benchmark) {
        assertThat(help(benchmark)).contains("Usage: bench.sh " + benchmark + " ");
    }

    private static String help(String... command) {
        String[] arguments = Arrays.copyOf(command, command.length + 1);
        arguments[command.length] = "--help";
        CommandRun run = CommandRun.of(new BenchCommand(), arguments);
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).doesNotContain("null");
        return run.out();
    }
}
