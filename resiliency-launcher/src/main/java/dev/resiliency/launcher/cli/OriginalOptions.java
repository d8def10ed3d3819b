package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.cli.OriginalOption.Here;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * All options of torchrun 2.10 and of nvidia-resiliency-ext 0.7, so that a command line or a file can be carried over. The table in
 * {@code docs/migrating-from-ft-launcher.md} is this one.
 */
final class OriginalOptions {
    private static final String ALL_OUTPUT = "all output is shown; --log-dir keeps it in files";
    private static final String LINKS = "--gpu-health-check-classpath checks GPUs and network links";
    private static final String ONE_LOG_SERVER = "one log server serves all nodes";
    private static final String NOT_POLLED = "nothing is polled";

    private static final List<OriginalOption> ALL = List.of(
            same("--nnodes", "the nodes above MIN are spare nodes; but for `hard`, MIN limits the start only"),
            same("--nproc-per-node", "`gpu`, `cpu`, `auto` or a number; no `xpu`"),
            same("--rdzv-backend", "`c10d` and `static` mean the same; no `etcd`"),
            same("--rdzv-endpoint", "no port 0: leave the option out for a store of this node's own"),
            same("--rdzv-id", ""),
            same("--rdzv-conf", "[which key means what](migrating-from-torchelastic.md#keys-of---rdzv-conf)"),
            same("--standalone", "not together with an address of the store"),
            same("--max-restarts", "10 within `--restart-window` by default, instead of 0"),
            same("--node-rank", "by default that of the scheduler"),
            same("--master-addr", ""),
            same("--master-port", "29400 by default, instead of 29500"),
            same("--local-addr", ""),
            same("--log-dir", "one file for each cycle, instead of one for each rank"),
            withoutEffect("the agent waits for its processes, and polls none", "--monitor-interval"),
            withoutEffect("each rank is a program of its own", "--start-method"),
            withoutEffect("all ranks have the same", "--role"),
            withoutEffect("the command may be any program", "--no-python").flag(),
            refused("write the whole command: python -m MODULE", "--module", "-m")
                    .flag(),
            refused("write the whole command: python SCRIPT", "--run-path").flag(),
            withoutEffect(ALL_OUTPUT, "--redirects", "-r"),
            withoutEffect(ALL_OUTPUT, "--tee", "-t"),
            withoutEffect("the output of all ranks is shown", "--local-ranks-filter"),
            refused("it names a class of Python; --log-dir keeps the output in files", "--logs-specs"),
            withoutEffect("'resiliency events' shows them", "--event-log-handler"),
            withoutEffect("search the output for the lines", "--duplicate-stdout-filters"),
            withoutEffect("search the output for the lines", "--duplicate-stderr-filters"),
            withoutEffect("the variable NVRX_GPUS_PER_NUMA binds ranks to NUMA nodes", "--numa-binding"),
            withoutEffect("the signals that are passed on are always the same", "--signals-to-handle"),
            renamed("--shutdown-timeout", "--grace", ""),
            refused(
                            "LOCAL_RANK is the number of the process on its node; set CUDA_VISIBLE_DEVICES in the command",
                            "--virtual-local-rank")
                    .flag(),
            renamed("--term-timeout", "--grace", "30 s by default, instead of 30 min"),
            withoutEffect("--grace counts whenever ranks are ended", "--workers-stop-timeout"),
            renamed("--ft-cfg-path", "--config", ""),
            withoutEffect("no file is needed", "--ft-ignore-missing-cfg").flag(),
            same("--ft-restart-policy", "`any-failed` is `hard`; without it, the policy is `soft`"),
            same("--ft-segment", ""),
            withoutEffect("there is one rendezvous", "--ft-rdzv-impl"),
            same("--ft-initial-rank-heartbeat-timeout", "no limit by default, and none is calculated unasked"),
            same("--ft-rank-heartbeat-timeout", "no limit by default, and none is calculated unasked"),
            same("--ft-rank-section-timeouts", "other sections are timed, too"),
            same("--ft-rank-out-of-section-timeout", ""),
            same("--ft-safety-factor", ""),
            renamed("num_warmup_iterations", "--warmup-iterations", "3 by default, instead of 5"),
            same("--ft-rank-termination-signal", "the stacks of a JVM are printed first"),
            withoutEffect(NOT_POLLED, "--ft-workload-check-interval"),
            withoutEffect(NOT_POLLED, "--ft-restart-check-interval"),
            withoutEffect("stamps in shared memory have no answer", "--ft-skip-section-response"),
            same("--ft-max-no-progress-cycles", "0 for no limit; no negative number"),
            withoutEffect("any higher step is progress", "--ft-min-progress-iterations"),
            withoutEffect("ranks report their step: RankMonitorClient.ping(step)", "--ft-checkpoint-iteration-file"),
            refused("the exit code is always 93", "--ft-no-restart-exit-code").butFor("93"),
            same("--ft-node-health-check-endpoint", ""),
            withoutEffect(
                    "--health-check-interval says how often a node is checked", "--ft-node-health-check-interval"),
            same("--ft-enable-dist-storage-healthcheck", ""),
            renamed("--ft-storage-health-check-path", "--storage-healthcheck-path", "in a file, too"),
            withoutEffect(LINKS, "--ft-enable-nic-monitor"),
            withoutEffect(LINKS, "--ft-enable-nic-healthcheck"),
            withoutEffect(LINKS, "--ft-pci-topo-file"),
            withoutEffect(LINKS, "--ft-link-down-path-template"),
            withoutEffect(LINKS, "--ft-link-state-path-template"),
            same("--ft-gpu-memory-reclaim-timeout", ""),
            same("--ft-gpu-memory-tolerance-mb", ""),
            same("--ft-gpu-memory-poll-interval", ""),
            same("--ft-numa-bind-strict", ""),
            withoutEffect("what a rank leaves behind is always ended", "--ft-check-remaining-processes"),
            withoutEffect("it is a hook of Python's", "--ft-install-exception-hook"),
            same("--ft-per-cycle-applog-prefix", "may be relative"),
            same("--ft-enable-log-server", ""),
            same("--ft-log-server-port", ""),
            withoutEffect("the agent's lines are in the log files, too", "--ft-nvrx-logfile"),
            withoutEffect(ONE_LOG_SERVER, "--ft-log-aggregator-count"),
            withoutEffect(ONE_LOG_SERVER, "--ft-log-leaf-max-queue-chunks"),
            withoutEffect("the log server is a part of the agent", "--ft-log-server-log-prefix"),
            withoutEffect(
                    "the log server waits until the nodes have sent all", "--ft-log-server-graceful-shutdown-timeout"),
            withoutEffect("the agent has one level, for people", "--ft-log-level"),
            withoutEffect("'resiliency events' and --report-dir say what has happened", "--ft-cycle-info-dir"),
            same("--ft-attribution-endpoint", "`localhost:PORT` chooses another port than 50050"),
            same("--ft-attribution-stop-action", "`no-restart` is `stop`"),
            withoutEffect("--attribution-timeout limits the whole answer", "--ft-attribution-compute-timeout"),
            same("--ft-attribution-llm-api-key-file", ""),
            same("--ft-attribution-llm-base-url", "no default: without it, rules alone"),
            same("--ft-attribution-llm-model", "no default: without it, rules alone"),
            withoutEffect("there is one backend", "--ft-attribution-analysis-backend"),
            same("--ft-attribution-startup-timeout", "the job does not wait"),
            withoutEffect("the service has one level, for people", "--ft-attribution-log-level"),
            same("--ft-attribution-export-url", "JSON over HTTP or HTTPS"));

    private OriginalOptions() {}

    private static OriginalOption same(String name, String remark) {
        return new OriginalOption(List.of(name), Here.SAME, "", remark, "", true);
    }

    private static OriginalOption renamed(String name, String target, String remark) {
        return new OriginalOption(List.of(name), Here.RENAMED, target, remark, "", true);
    }

    private static OriginalOption withoutEffect(String reason, String... names) {
        return new OriginalOption(List.of(names), Here.WITHOUT_EFFECT, "", reason, "", true);
    }

    private static OriginalOption refused(String advice, String... names) {
        return new OriginalOption(List.of(names), Here.REFUSED, "", advice, "", true);
    }

    /** Returns the options, in the order of the table. */
    static List<OriginalOption> all() {
        return ALL;
    }

    /** Lets a command accept those that it does not have. */
    static void addTo(CommandSpec command) {
        ALL.stream()
                .filter(option -> option.here() == Here.WITHOUT_EFFECT || option.here() == Here.REFUSED)
                .forEach(option -> command.addOption(option.hidden()));
    }

    /** Returns the option that one of another name stands for, without {@code --ft-}; empty if there is none. */
    static Optional<String> target(String name) {
        return ALL.stream()
                .filter(option -> option.here() == Here.RENAMED && option.name().equals(name))
                .map(OriginalOption::target)
                .findFirst();
    }

    /**
     * Returns those that were given and mean nothing here, each with the reason, for people.
     *
     * @throws ParameterException if one was given that is refused
     */
    static List<String> withoutEffect(CommandLine command) {
        ParseResult given = command.getParseResult();
        List<String> withoutEffect = new ArrayList<>();
        for (OriginalOption option : ALL) {
            if (!given.hasMatchedOption(option.name())) {
                continue;
            }
            if (option.here() == Here.WITHOUT_EFFECT) {
                withoutEffect.add("%s (%s)".formatted(option.name().substring(2), option.remark()));
            } else if (option.here() == Here.REFUSED
                    && !option.harmless().equals(String.valueOf(given.<Object>matchedOptionValue(option.name(), "")))) {
                throw new ParameterException(command, "%s is refused: %s".formatted(option.name(), option.remark()));
            }
        }
        return withoutEffect;
    }
}
