package dev.resiliency.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.CommandRun;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {

    @ParameterizedTest
    @ValueSource(strings = {"store", "restart", "launch", "chaos"})
    void helpListsTheBenchmarkWhoseOwnNamesItsScript(String benchmark) {
        assertThat(help()).containsPattern("(?m)^  " + benchmark + " ");
        assertThat(help(benchmark)).contains("Usage: bench.sh " + benchmark + " ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "launch --ranks=1 | --ranks must be at least 2, since rank 1 is killed",
                "restart --simulated=2000000 | --simulated: 2000000 must be from 4 to ",
                "restart --replace=fresh --fault=exception | --replace: exception does not cost its rank",
                "restart --training=tea | --training: there is no training tea, but none, digits,",
                "chaos --ranks=2 | --ranks is 2: it must be from 3 to 32 (see --help)",
                "chaos --minutes=0 | --minutes is 0.0: it must be more than 0",
            })
    void mistakeOfTheUserIsReportedAtOnce(String arguments, String message) {
        CommandRun run = CommandRun.of(new BenchCommand(), arguments.split(" ", -1));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("error: " + message).hasLineCount(1);
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
