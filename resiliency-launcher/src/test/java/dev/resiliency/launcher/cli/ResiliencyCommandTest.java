package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ResiliencyCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        CommandLine program = ResiliencyCommand.commandLine();
        program.setOut(new PrintWriter(out));
        program.setErr(new PrintWriter(errors));
        return program.execute(arguments);
    }

    @Test
    void helpHasExamplesAndExitCodes() {
        assertThat(run("supervise", "--help")).isZero();

        assertThat(out.toString())
                .contains("Examples:", "resiliency supervise --max-restarts 3", "Exit codes:", "  93 ");
    }

    @Test
    void completionKnowsTheOptions() {
        assertThat(run("completion")).isZero();

        assertThat(out.toString()).startsWith("#!/usr/bin/env bash").contains("--max-restarts", "--run-dir");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|a command is missing",
                "supervise|Missing required parameter: 'COMMAND'",
                "supervise --grace soon true|'soon' is no duration: write a number and its unit",
                "supervise --backoff 1s true|write MIN:MAX, as in 1s:60s",
                "supervise --backoff 2s:1s true|a backoff from 2s to 1s is invalid",
                "supervise --restart-window 0 true|window is PT0S",
                "supervise --max-restarts -1 true|maxRestarts is -1",
                "supervise --max-startup-failures -1 true|maxStartupFailures is -1",
                "supervise --no-such-option true|--no-such-option"
            })
    void invalidCommandLineIsExplainedAndExitsWithTwo(String arguments, String explanation) {
        assertThat(run(arguments == null ? new String[0] : arguments.split(" ", -1)))
                .isEqualTo(2);

        assertThat(errors.toString()).contains(explanation);
    }
}
