package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ResiliencyCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        CommandLine program = ResiliencyCommand.commandLine();
        program.setOut(new PrintWriter(out));
        program.setErr(new PrintWriter(errors));
        return ResiliencyCommand.execute(program, arguments);
    }

    @Test
    void helpHasExamplesAndExitCodes() {
        assertThat(run("supervise", "--help")).isZero();

        assertThat(out.toString())
                .contains("Examples:", "resiliency supervise --max-restarts 3", "Exit codes:", "  93 ");
    }

    @Test
    void helpOfRunNamesTheOptionsOfTorchrun() {
        assertThat(run("run", "--help")).isZero();

        assertThat(out.toString())
                .contains(
                        "with dashes or underscores",
                        "--nnodes=MIN:MAX",
                        "--nproc-per-node=N",
                        "--rdzv-endpoint",
                        "Examples:",
                        "  94 ");
    }

    @Test
    void doctorNamesWhatItHasCheckedAndFailsForWhatIsMissing() {
        assertThat(run("doctor")).as(out.toString()).isZero();
        assertThat(out.toString()).contains("descriptors", "host name", "secret", "0 failures");

        assertThat(run("doctor", "--rdzv-endpoint", "no-such-host.invalid", "--", "no-such-program", "--help"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("FAILED   store", "FAILED   command", "2 failures");
    }

    @Test
    void completionKnowsTheOptionsOfEveryCommand() {
        assertThat(run("completion")).isZero();

        assertThat(out.toString()).startsWith("#!/usr/bin/env bash");
        ResiliencyCommand.commandLine().getSubcommands().forEach((name, command) -> {
            String function = completionOf(name);
            command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> assertThat(function).as(name).contains(option.longestName()));
        });
    }

    @Test
    void completionKnowsTheOptionsThatTheStoreServerHas() {
        assertThat(run("completion")).isZero();

        assertThat(completionOf("store"))
                .containsPattern("flag_opts=\"[^\"]*'--pytorch'")
                .containsPattern("arg_opts=\"[^\"]*'--secret-file'[^\"]*'--tls-cert'")
                .contains("'--max-total-bytes'");
    }

    /** Returns the function of the script that completes a command. */
    private String completionOf(String command) {
        String script = out.toString();
        int start = script.indexOf("function _picocli_resiliency_" + command + "()");
        assertThat(start).as(command).isPositive();
        return script.substring(start, script.indexOf("\n}", start));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --nnodes 2 --nproc_per_node 0 true",
                "run --nnodes=2 --ft-nproc-per-node=0 true",
                "run --nnodes 2 --ft_nproc_per_node 0 true"
            })
    void optionsHaveTheNamesOfTorchrunAndOfNvrx(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(2);

        assertThat(errors.toString()).contains("nproc-per-node is 0");
    }

    @Test
    void optionsOfNvrxAreAcceptedAsTheyAre() {
        String line =
                "run --nnodes=2 --ft-segment=1 --max-restarts=3 --ft-restart-policy any-failed --monitor-interval=5"
                        + " --ft-gpu-memory-reclaim-timeout 50.0 --ft_gpu_memory_tolerance_mb 512.0"
                        + " --ft-gpu-memory-poll-interval 2.0 -- train.py --ft_not_ours";

        assertThat(run(line.split(" ", -1))).isEqualTo(2); // for this reason alone
        assertThat(errors.toString())
                .contains(
                        "accepted, but without effect: monitor-interval (the agent waits for its processes, and polls none)",
                        "a job of several nodes needs --rdzv-endpoint");
        assertThat(OptionNames.normalize(ResiliencyCommand.commandLine(), line.split(" ", -1)))
                .endsWith("--", "train.py", "--ft_not_ours");
    }

    @Test
    void keysOfTheRendezvousWithoutEffectAreNamedInTheSameLineAsOptions() {
        assertThat(run("run", "--nnodes=2", "--role=trainer", "--rdzv_conf=use_libuv=1,join_timeout=5", "true"))
                .isEqualTo(2); // for this reason alone

        assertThat(errors.toString())
                .contains(
                        "accepted, but without effect: role (all ranks have the same), use_libuv of rdzv-conf (",
                        "a job of several nodes needs --rdzv-endpoint");
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
                "doctor --rdzv-endpoint host:port|'host:port' is no address",
                "supervise --max-startup-failures -1 true|maxStartupFailures is -1",
                "supervise --no-such-option true|resiliency supervise: there is no option '--no-such-option'",
                "supervise --graces 1s true|there is no option '--graces': do you mean --grace?",
                "run --ft_log_lvl=3 true|there is no option '--ft_log_lvl=3': do you mean --ft-log-level?",
                "run --ft-cfg-pat=a true|there is no option '--ft-cfg-pat=a': do you mean --ft-cfg-path?",
                "run --nnode 2 --also-unknown true|there is no option '--nnode': do you mean --nnodes?",
                "evnts|resiliency: there is no command 'evnts': do you mean events?",
                "scale|Missing required parameter: 'MIN:MAX'",
                "scale two|'two' is no number of nodes: write MIN:MAX or N, as in 2:4",
                "scale 0:2|0:2 is no number of nodes: the minimum must be at least 1",
                "run|Missing required parameter: 'COMMAND'",
                "run --nnodes 2 true|a job of several nodes needs --rdzv-endpoint",
                "run --nnodes 3:2 true|the maximum must be at least the minimum",
                "run --nnodes many true|'many' is no number of nodes: write MIN:MAX",
                "run --nproc-per-node 0 true|nproc-per-node is 0: it must be at least 1",
                "run --nproc_per_node x true|'x' is no number of ranks: write a number, gpu, cpu or auto",
                "run --spares -1 true|spares is -1",
                "run --rdzv-endpoint a:b:c true|'a:b:c' is no address: write HOST or HOST:PORT",
                "run --rdzv-endpoint 0.0.0.0 true|the address of the store is '0.0.0.0', which stands for all addresses",
                "run --nnodes 2 --master-addr :: true|the address of the store is '::', which stands for all addresses",
                "run --rdzv_endpoint host:0 true|'host:0' is no address",
                "run --rdzv-endpoint a --master-addr b true|both name the store",
                "run --standalone --rdzv-endpoint a true|--standalone has a store of its own",
                "run --rdzv-backend etcd true|there is no --rdzv-backend 'etcd': write c10d or static",
                "run --restart-policy gentle true|there is no --restart-policy 'gentle': write soft, soft-no-replace, hard",
                "run --rdzv-conf no_such_key=1 true|there is no key 'no_such_key': write timeout, join_timeout",
                "run --rdzv-conf keep_alive_interval=0 true|lease is 0: it must be at least 1s",
                "run --lease 10ms true|lease is 10ms: it must be at least 1s",
                "run --nnodes 3:4 --rdzv-endpoint a --segment 2 true|segment is 2: the minimum of nnodes, 3, must be a multiple of it",
                "run --segment -1 true|segment is -1: it must be at least 0",
                "run --gpu-memory-poll-interval 0 true|gpu-memory-poll-interval is 0: it must be positive",
                "run --ft-node-health-check-endpoint localhost:50051 true|'localhost:50051' is no Unix socket: write its absolute path",
                "run --node-health-check-endpoint unix://host/nvhcd.sock true|is no Unix socket",
                "run --ft-enable_dist_storage_healthcheck perhaps true|'perhaps' is neither true nor false",
                "run --ft-storage_health_check_path /data,scratch true|storage-health-check-path has 'scratch': write absolute paths",
                "run --health-check-timeout 0 true|health-check-timeout is 0: it must be positive",
                "doctor --storage-healthcheck-path data|storage-health-check-path has 'data'",
                "doctor --min-free-memory-mb -1|min-free-memory-mb is -1: it must be at least 0",
                "run --rdzv-id a/b true|it must not contain '/'"
            })
    void invalidCommandLineIsExplainedAndExitsWithTwo(String arguments, String explanation) {
        assertThat(run(arguments == null ? new String[0] : arguments.split(" ", -1)))
                .isEqualTo(2);

        assertThat(errors.toString())
                .contains(explanation, "--help' explains it")
                .hasLineCount(2);
    }
}
