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

        ParseResult parsed = parse(file, "run", "--config", file.toString(), "--", "train");

        assertThat(parsed.<Duration>matchedOptionValue("--gpu-memory-reclaim-timeout", Duration.ZERO))
                .isEqualTo(Duration.ofSeconds(50));
        assertThat(parsed.<String>matchedOptionValue("--restart-policy", "")).isEqualTo("any-failed");
    }

    /** As the original writes one with its defaults. */
    @Test
    void allSettingsOfNvrxAreAccepted() throws Exception {
        Path file = write("""
                fault_tolerance:
                  attribution_endpoint: null
                  attribution_export_url: http://export.test/index
                  attribution_stop_action: log
                  check_remaining_processes: false
                  checkpoint_iteration_file: null
                  cycle_info_dir: /logs/nvrx
                  enable_dist_storage_healthcheck: false
                  enable_nic_healthcheck: true
                  enable_nic_monitor: false
                  gpu_memory_poll_interval: 2.0
                  gpu_memory_reclaim_timeout: 50.0
                  gpu_memory_tolerance_mb: 512.0
                  initial_rank_heartbeat_timeout: null
                  install_exception_hook: false
                  link_down_path_template: null
                  link_state_path_template: null
                  log_level: 20
                  max_no_progress_cycles: 3
                  min_progress_iterations: 1
                  node_health_check_interval: 5.0
                  num_warmup_iterations: 5
                  numa_bind_strict: true
                  pci_topo_file: null
                  rank_heartbeat_timeout: 45
                  rank_out_of_section_timeout: null
                  rank_section_timeouts: {init: 20, step: null}
                  rank_termination_signal: SIGKILL
                  restart_check_interval: 60.0
                  safety_factor: 5.0
                  segment: null
                  skip_section_response: true
                  storage_healthcheck_path: null
                  workload_check_interval: 5.0
                """);

        ParseResult parsed = parse(file, "run", "--config", file.toString(), "--", "train");

        assertThat(OriginalOptions.withoutEffect(parsed.commandSpec().commandLine()))
                .hasSize(11)
                .anyMatch(line -> line.startsWith("cycle-info-dir ("));
        assertThat(parsed.<Integer>matchedOptionValue("--warmup-iterations", 0)).isEqualTo(5);
        assertThat(parsed.<Duration>matchedOptionValue("--rank-heartbeat-timeout", Duration.ZERO))
                .isEqualTo(Duration.ofSeconds(45));
    }

    @Test
    void sectionsOfATrainingProgramBesideThatOfNvrxAreNotRead() throws Exception {
        Path file = write("""
                model: {layers: 12}
                fault_tolerance:
                  max_restarts: 3
                """);

        ParseResult parsed = parse(file, "run", "--config", file.toString(), "--", "train");

        assertThat(parsed.<Integer>matchedOptionValue("--max-restarts", 0)).isEqualTo(3);
    }

    @Test
    void mistakeInTheFileNamesItsLine() throws Exception {
        assertThat(errors("lease: soon\n")).contains("job.yaml, line 1: lease:", "'soon' is no duration");
        assertThat(errors("nnodes: 1\nmax-restart: 3\n"))
                .contains("job.yaml, line 2: there is no setting 'max-restart': do you mean 'max-restarts'?");
        assertThat(errors("fault_tolerance:\n  log_levels: 3\n")).contains("line 2: there is no setting 'log-levels'");
        assertThat(errors("num_warmup_iterations: 3\nwarmup-iterations: 5\n"))
                .contains("line 2: warmup-iterations: num-warmup-iterations in line 1 means the same");
        assertThat(errors("fault_tolerance: {no_restart_exit_code: 3}\n"))
                .contains("--no-restart-exit-code is refused");
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
