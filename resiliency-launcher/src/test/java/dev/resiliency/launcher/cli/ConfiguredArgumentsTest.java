package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class ConfiguredArgumentsTest {
    @TempDir
    private Path directory;

    private Path write(String text) throws Exception {
        return Files.writeString(directory.resolve("job.yaml"), text);
    }

    /** Returns what the options of {@code run} are, after those of the file were parsed. */
    private static ParseResult parse(Path file, String... arguments) {
        CommandLine program = ResiliencyCommand.commandLine();
        program.parseArgs(arguments);
        CommandLine run = Objects.requireNonNull(program.getSubcommands().get("run"));
        ConfiguredArguments.parse(run, file);
        return run.getParseResult();
    }

    @Test
    void commandLineWinsOverTheFileAndTheFileOverTheDefaults() throws Exception {
        Path file = write("""
                nproc_per_node: 4
                fault_tolerance:
                  max-restarts: 3
                """);

        ParseResult parsed =
                parse(file, "run", "--max-restarts", "7", "--config", file.toString(), "--", "train", "--spares", "9");

        assertThat(parsed.<Integer>matchedOptionValue("--nproc-per-node", 0)).isEqualTo(4);
        assertThat(parsed.<Integer>matchedOptionValue("--max-restarts", 0)).isEqualTo(7);
        assertThat(parsed.<Integer>matchedOptionValue("--spares", 0)).isZero();
        assertThat(parsed.matchedPositional(0).<Object>getValue()).hasToString("[train, --spares, 9]");
    }

    @Test
    void fileOfNvrxIsReadAsItIs() throws Exception {
        Path file = write("""
                fault_tolerance:
                  workload_check_interval: 5.0
                  restart_policy: any-failed
                  gpu_memory_reclaim_timeout: 50.0
                  gpu_memory_tolerance_mb: 512.0
                  gpu_memory_poll_interval: 2.0
                """);

        ParseResult parsed = parse(file, "run", "--ft-cfg-path", file.toString(), "--", "train");

        assertThat(parsed.<Duration>matchedOptionValue("--gpu-memory-reclaim-timeout", Duration.ZERO))
                .isEqualTo(Duration.ofSeconds(50));
        assertThat(parsed.<String>matchedOptionValue("--restart-policy", "")).isEqualTo("any-failed");
    }

    @Test
    void mistakeInTheFileNamesItsLine() throws Exception {
        assertThat(errors("lease: soon\n")).contains("job.yaml, line 1: lease:", "'soon' is no duration");
        assertThat(errors("nnodes: 1\nmax-restart: 3\n"))
                .contains("job.yaml, line 2: there is no setting 'max-restart': do you mean 'max-restarts'?");
        assertThat(errors("nproc-per-node: 0\n")).contains("nproc-per-node is 0: it must be at least 1");
    }

    @Test
    void optionWinsOverItsKeyInTheConfOfTheRendezvousInTheFile() throws Exception {
        assertThat(errors("rdzv_conf: keep_alive_interval=0,use_libuv=1\n"))
                .contains("accepted, but without effect: use_libuv", "lease is 0: it must be at least 1s");
        assertThat(errors("lease: 10ms\nrdzv-conf: keep_alive_interval=5\n")).contains("lease is 10ms");
    }

    private String errors(String text) throws Exception {
        StringWriter errors = new StringWriter();
        CommandLine program = ResiliencyCommand.commandLine();
        program.setErr(new PrintWriter(errors));
        assertThat(program.execute("run", "--config", write(text).toString(), "true"))
                .isEqualTo(2);
        return errors.toString();
    }
}
