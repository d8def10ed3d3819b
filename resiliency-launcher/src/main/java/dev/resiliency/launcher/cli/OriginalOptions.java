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
    private static final String TORCHRUN = "torchrun";
    private static final String FT = "ft_launcher";
    private static final String BOTH = "torchrun, ft_launcher";
    private static final String FILE = "file of ft_launcher";
    private static final String ALL_OUTPUT = "all output is shown; --log-dir keeps it in files";
    private static final String LINKS = "--gpu-health-check-classpath checks GPUs and network links";
    private static final String ONE_LOG_SERVER = "one log server serves all nodes";
    private static final String NOT_POLLED = "nothing is polled";

    private static final List<OriginalOption> ALL = List.of(
            same(BOTH, "--nnodes", "the nodes above MIN are spare nodes; but for `hard`, MIN limits the start only"),
            same(BOTH, "--nproc-per-node", "`gpu`, `cpu`, `auto` or a number; no `xpu`"),
            same(BOTH, "--rdzv-backend", "`c10d` and `static` mean the same; no `etcd`"),
            same(BOTH, "--rdzv-endpoint", "no port 0: leave the option out for a store of this node's own"),
            same(BOTH, "--rdzv-id", ""),
            same(BOTH, "--rdzv-conf", "[which key means what](migrating-from-torchelastic.md#keys-of---rdzv-conf)"),
            same(BOTH, "--standalone", "not together with an address of the store"),
            same(BOTH, "--max-restarts", "10 within `--restart-window` by default, instead of 0"),
            same(BOTH, "--node-rank", "by default that of the scheduler"),
            same(BOTH, "--master-addr", ""),
            same(BOTH, "--master-port", "29400 by default, instead of 29500"),
            same(BOTH, "--local-addr", ""),
            same(BOTH, "--log-dir", "one file for each cycle, instead of one for each rank"),
            withoutEffect(BOTH, "the agent waits for its processes, and polls none", "--monitor-interval"),
            withoutEffect(BOTH, "each rank is a program of its own", "--start-method"),
            withoutEffect(BOTH, "all ranks have the same", "--role"),
            withoutEffect(BOTH, "the command may be any program", "--no-python").flag(),
            refused(BOTH, "write the whole command: python -m MODULE", "--module", "-m")
                    .flag(),
            refused(BOTH, "write the whole command: python SCRIPT", "--run-path")
                    .flag(),
            withoutEffect(BOTH, ALL_OUTPUT, "--redirects", "-r"),
            withoutEffect(BOTH, ALL_OUTPUT, "--tee", "-t"),
            withoutEffect(BOTH, "the output of all ranks is shown", "--local-ranks-filter"),
            refused(BOTH, "it names a class of Python; --log-dir keeps the output in files", "--logs-specs"),
            withoutEffect(TORCHRUN, "'resiliency events' shows them", "--event-log-handler"),
            withoutEffect(TORCHRUN, "search the output for the lines", "--duplicate-stdout-filters"),
            withoutEffect(TORCHRUN, "search the output for the lines", "--duplicate-stderr-filters"),
            withoutEffect(TORCHRUN, "the variable NVRX_GPUS_PER_NUMA binds ranks to NUMA nodes", "--numa-binding"),
            withoutEffect(TORCHRUN, "the signals that are passed on are always the same", "--signals-to-handle"),
            renamed(TORCHRUN, "--shutdown-timeout", "--grace", ""),
            refused(
                            TORCHRUN,
                            "LOCAL_RANK is the number of the process on its node; set CUDA_VISIBLE_DEVICES in the command",
                            "--virtual-local-rank")
                    .flag(),
            renamed(FT, "--term-timeout", "--grace", "30 s by default, instead of 30 min"),
            withoutEffect(FT, "--grace counts whenever ranks are ended", "--workers-stop-timeout"),
            renamed(FT, "--ft-cfg-path", "--config", ""),
            withoutEffect(FT, "no file is needed", "--ft-ignore-missing-cfg").flag(),
            same(FT, "--ft-restart-policy", "`any-failed` is `hard`; without it, the policy is `soft`"),
            same(FT, "--ft-segment", ""),
            withoutEffect(FT, "there is one rendezvous", "--ft-rdzv-impl"),
            same(FT, "--ft-initial-rank-heartbeat-timeout", "no limit by default, and none is calculated unasked"),
            same(FT, "--ft-rank-heartbeat-timeout", "no limit by default, and none is calculated unasked"),
            same(FT, "--ft-rank-section-timeouts", "other sections are timed, too"),
            same(FT, "--ft-rank-out-of-section-timeout", ""),
            same(FT, "--ft-safety-factor", ""),
            renamed(FILE, "num_warmup_iterations", "--warmup-iterations", "3 by default, instead of 5"),
            same(FT, "--ft-rank-termination-signal", "the stacks of a JVM are printed first"),
            withoutEffect(FT, NOT_POLLED, "--ft-workload-check-interval"),
            withoutEffect(FT, NOT_POLLED, "--ft-restart-check-interval"),
            withoutEffect(FT, "stamps in shared memory have no answer", "--ft-skip-section-response"),
            same(FT, "--ft-max-no-progress-cycles", "0 for no limit; no negative number"),
            withoutEffect(FT, "any higher step is progress", "--ft-min-progress-iterations"),
            withoutEffect(
                    FT, "ranks report their step: RankMonitorClient.ping(step)", "--ft-checkpoint-iteration-file"),
            refused(FT, "the exit code is always 93", "--ft-no-restart-exit-code")
                    .butFor("93"),
            same(FT, "--ft-node-health-check-endpoint", ""),
            withoutEffect(
                    FT, "--health-check-interval says how often a node is checked", "--ft-node-health-check-interval"),
            same(FT, "--ft-enable-dist-storage-healthcheck", ""),
            renamed(FT, "--ft-storage-health-check-path", "--storage-healthcheck-path", "in a file, too"),
            withoutEffect(FT, LINKS, "--ft-enable-nic-monitor"),
            withoutEffect(FT, LINKS, "--ft-enable-nic-healthcheck"),
            withoutEffect(FT, LINKS, "--ft-pci-topo-file"),
            withoutEffect(FT, LINKS, "--ft-link-down-path-template"),
            withoutEffect(FT, LINKS, "--ft-link-state-path-template"),
            same(FT, "--ft-gpu-memory-reclaim-timeout", ""),
            same(FT, "--ft-gpu-memory-tolerance-mb", ""),
            same(FT, "--ft-gpu-memory-poll-interval", ""),
            same(FT, "--ft-numa-bind-strict", ""),
            withoutEffect(FT, "what a rank leaves behind is always ended", "--ft-check-remaining-processes"),
            withoutEffect(FT, "it is a hook of Python's", "--ft-install-exception-hook"),
            same(FT, "--ft-per-cycle-applog-prefix", "may be relative"),
            same(FT, "--ft-enable-log-server", ""),
            same(FT, "--ft-log-server-port", ""),
            withoutEffect(FT, "the agent's lines are in the log files, too", "--ft-nvrx-logfile"),
            withoutEffect(FT, ONE_LOG_SERVER, "--ft-log-aggregator-count"),
            withoutEffect(FT, ONE_LOG_SERVER, "--ft-log-leaf-max-queue-chunks"),
            withoutEffect(FT, "the log server is a part of the agent", "--ft-log-server-log-prefix"),
            withoutEffect(
                    FT,
                    "the log server waits until the nodes have sent all",
                    "--ft-log-server-graceful-shutdown-timeout"),
            withoutEffect(FT, "the agent has one level, for people", "--ft-log-level"),
            withoutEffect(FT, "'resiliency events' and --report-dir say what has happened", "--ft-cycle-info-dir"),
            same(FT, "--ft-attribution-endpoint", "`localhost:PORT` chooses another port than 50050"),
            same(FT, "--ft-attribution-stop-action", "`no-restart` is `stop`"),
            withoutEffect(FT, "--attribution-timeout limits the whole answer", "--ft-attribution-compute-timeout"),
            same(FT, "--ft-attribution-llm-api-key-file", ""),
            same(FT, "--ft-attribution-llm-base-url", "no default: without it, rules alone"),
            same(FT, "--ft-attribution-llm-model", "no default: without it, rules alone"),
            withoutEffect(FT, "there is one backend", "--ft-attribution-analysis-backend"),
            same(FT, "--ft-attribution-startup-timeout", "the job does not wait"),
            withoutEffect(FT, "the service has one level, for people", "--ft-attribution-log-level"),
            same(FT, "--ft-attribution-export-url", "JSON over HTTP or HTTPS"));

    private OriginalOptions() {}

    private static OriginalOption same(String programs, String name, String remark) {
        return new OriginalOption(programs, List.of(name), Here.SAME, "", remark, "", true);
    }

    private static OriginalOption renamed(String programs, String name, String target, String remark) {
        return new OriginalOption(programs, List.of(name), Here.RENAMED, target, remark, "", true);
    }

    private static OriginalOption withoutEffect(String programs, String reason, String... names) {
        return new OriginalOption(programs, List.of(names), Here.WITHOUT_EFFECT, "", reason, "", true);
    }

    private static OriginalOption refused(String programs, String advice, String... names) {
        return new OriginalOption(programs, List.of(names), Here.REFUSED, "", advice, "", true);
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
