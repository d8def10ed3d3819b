package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.Launcher;
import dev.resiliency.launcher.LogSettings;
import dev.resiliency.launcher.process.NumaBinding;
import dev.resiliency.store.spi.StoreAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resiliency run}. */
@Command(
        name = "run",
        description = {
            "Runs the ranks of a job on this node, and starts those again that fail: start it once on each node. The nodes agree"
                    + " through a store. torchrun's options have the same names here, with dashes or underscores.",
            ""
        },
        mixinStandardHelpOptions = true,
        customSynopsis = "resiliency run [OPTION]... [--] COMMAND [ARGUMENT]...",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all ranks of this node have completed",
            "1:the node was refused, or the store is lost",
            "2:invalid command line",
            "93:the job has ended, and nobody should start it again: the restarts are spent, a rank asks for it (93, or 130 of"
                    + " RestartAbort), or it fails at start-up again and again",
            "94:this host should be replaced: a rank asks for it, or the host is unhealthy",
            "126, 127:the command cannot be executed, or does not exist; it is not tried again",
            "129, 130, 143:SIGHUP, SIGINT or SIGTERM has ended this node"
        },
        footer = {
            "",
            "A TIME is in seconds, or has a unit: 500ms, 30s, 10m, 2h.",
            "",
            "SIGTERM, SIGHUP and Ctrl-C are passed on to the ranks; a second one kills them at once.",
            "",
            "Examples:",
            "  resiliency run --nproc-per-node 4 -- java -jar train.jar",
            "  resiliency run --nnodes 2:4 --nproc-per-node 8 --rdzv-endpoint host0:29400 --rdzv-id job7 -- java -jar train.jar",
            "  resiliency run --nproc-per-node 2 --spares 1 --restart-window forever -- ./train.sh"
        })
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--nnodes",
            paramLabel = "MIN:MAX",
            defaultValue = "1",
            converter = NodeCount.Converter.class,
            description =
                    "How many nodes: the job begins with MIN of them, and up to MAX take part when it begins, the others as spare nodes; N for both; ${DEFAULT-VALUE} by default.")
    private NodeCount nodes = new NodeCount(1, 1);

    @Option(
            names = "--nproc-per-node",
            paramLabel = "N",
            defaultValue = "1",
            converter = ProcessCount.class,
            description =
                    "How many ranks each node has; gpu, cpu or auto: one for each GPU or processor; ${DEFAULT-VALUE} by default.")
    private Integer processes = 1;

    @Option(
            names = "--spares",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How many more processes this node has, which join as reserves and step in for ranks that are lost; ${DEFAULT-VALUE} by default.")
    private int spares;

    @Option(
            names = "--rdzv-endpoint",
            paramLabel = "HOST[:PORT]",
            converter = AddressConverter.class,
            description =
                    "Where the store is, the same on all nodes. The agent of the node that has this address hosts it, unless a store is there already. Port 29400 by default.")
    private @Nullable StoreAddress endpoint;

    @Option(
            names = "--master-addr",
            paramLabel = "HOST",
            description = "The same as --rdzv-endpoint, as torchrun also has it.")
    private @Nullable String masterAddress;

    @Option(
            names = "--master-port",
            paramLabel = "PORT",
            defaultValue = "29400",
            description = "The port beside --master-addr; ${DEFAULT-VALUE} by default.")
    private int masterPort;

    @Option(
            names = "--rdzv-id",
            paramLabel = "NAME",
            description =
                    "The name of the job, the same on all nodes; each run at a store that outlives it ('resiliency store') needs another one. By default that of RESILIENCY_JOB_ID, Slurm or torchrun, or 'default'.")
    private @Nullable String jobId;

    @Option(
            names = "--rdzv-backend",
            paramLabel = "NAME",
            defaultValue = "c10d",
            description = "c10d or static: both mean the store of this program.")
    private String backend = "c10d";

    @Option(
            names = "--standalone",
            description = "One node, with a store of its own at any free port; the default without --rdzv-endpoint.")
    private boolean isStandalone;

    @Option(
            names = "--node-rank",
            paramLabel = "N",
            description =
                    "The rank of this node; by default SLURM_PROCID, SLURM_NODEID, GROUP_RANK or JOB_COMPLETION_INDEX, else nodes are ordered by their names.")
    private @Nullable Integer nodeRank;

    @Option(
            names = "--node-name",
            paramLabel = "NAME",
            description =
                    "A name that stays, by which an agent that is started again gets its ranks back; the name of the host by default, with --local-addr if that is given.")
    private @Nullable String nodeName;

    @Option(
            names = "--local-addr",
            paramLabel = "ADDRESS",
            description = "The address of this node, if its host has several.")
    private @Nullable String localAddress;

    @Option(
            names = "--segment",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Gives ranks only to whole segments of N nodes with the same label, and consecutive ones to each; MIN must be a multiple of N; 0, the default, for no segments.")
    private int segment;

    @Option(
            names = "--node-label",
            paramLabel = "LABEL",
            description =
                    "Which nodes belong together, for --segment; by default the NVLink domain that nvidia-smi names.")
    private @Nullable String nodeLabel;

    @Option(
            names = "--numa-bind-strict",
            paramLabel = "BOOLEAN",
            arity = "1",
            defaultValue = "true",
            converter = BooleanConverter.class,
            description =
                    "With NVRX_GPUS_PER_NUMA: whether the memory of a rank must come from its NUMA node, too, or only as long as there is some; ${DEFAULT-VALUE} by default.")
    private Boolean numaBindStrict = true;

    @Option(
            names = "--restart-policy",
            paramLabel = "POLICY",
            defaultValue = "soft",
            description =
                    "What starts again when a rank fails: soft (that rank, which joins the others), soft-no-replace (all ranks of its node) or hard (all ranks of all nodes); ${DEFAULT-VALUE} by default.")
    private String policy = "soft";

    @Mixin
    private RestartOptions restarts = new RestartOptions();

    @Mixin
    private ReportOptions reports = new ReportOptions();

    @Mixin
    private GpuMemoryOptions gpuMemory = new GpuMemoryOptions();

    @Mixin
    private LogOptions logs = new LogOptions();

    @Mixin
    private StatusOptions status = new StatusOptions();

    @Mixin
    private HealthOptions health = new HealthOptions();

    @Mixin
    private HealthIntervals healthIntervals = new HealthIntervals();

    @Mixin
    private HangOptions monitor = new HangOptions();

    @Mixin
    private RendezvousOptions rendezvous = new RendezvousOptions();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "A YAML file with these options, as in 'max-restarts: 3'; the command line wins. None by default.")
    private @Nullable Path file;

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The program of each rank, and its arguments.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws InterruptedException {
        if (file != null) {
            ConfiguredArguments.parse(spec.commandLine(), file);
        }
        List<String> ignored = Stream.of(
                        OriginalOptions.withoutEffect(spec.commandLine()),
                        rendezvous.withoutEffect(),
                        reports.withoutEffect())
                .flatMap(List::stream)
                .toList();
        if (!ignored.isEmpty()) {
            spec.commandLine().getErr().println("accepted, but without effect: " + String.join(", ", ignored));
        }
        Map<String, String> variables = System.getenv();
        LaunchConfig config;
        try {
            config = config(variables);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        return Launcher.run(config, command).exitCode();
    }

    LaunchConfig config(Map<String, String> variables) {
        String job = jobId == null ? JobVariables.jobId(variables) : JobVariables.check(jobId);
        LogSettings logging = logs.settings(job);
        LaunchConfig.Builder builder = LaunchConfig.builder()
                .nodes(nodes.min(), nodes.max())
                .processes(processes)
                .spares(spares)
                .jobId(job)
                .segment(segment)
                .policy(Policies.parse(policy))
                .budget(restarts.budget())
                .reports(reports.settings(logging.prefix() != null))
                .backoff(restarts.backoff())
                .grace(restarts.grace())
                .startup(restarts.startupTime(), restarts.maxStartupFailures())
                .rendezvousTimeout(rendezvous.timeout())
                .lastCall(rendezvous.lastCall())
                .lease(rendezvous.lease())
                .refound(rendezvous.refound())
                .logs(logging)
                .statusPage(status.page())
                .gpuMemoryTimeout(gpuMemory.timeout())
                .gpuMemoryTolerance(gpuMemory.toleranceMebibytes())
                .gpuMemoryInterval(gpuMemory.interval())
                .health(healthIntervals.complete(health.settings()))
                .monitor(monitor.settings());
        StoreAddress store = store();
        if (store != null) {
            builder.store(store.host(), store.port());
        }
        Integer rank = nodeRank == null ? JobVariables.nodeRank(variables) : nodeRank;
        if (rank != null && nodes.max() > 1) {
            builder.nodeRank(rank);
        }
        String gpusPerNuma = variables.get(NumaBinding.VARIABLE);
        if (gpusPerNuma != null) {
            builder.gpusPerNumaNode(JobVariables.number(NumaBinding.VARIABLE, gpusPerNuma))
                    .numaBindStrict(numaBindStrict);
        }
        if (nodeName != null) {
            builder.nodeName(nodeName);
        }
        if (localAddress != null) {
            builder.localAddress(localAddress);
        }
        if (nodeLabel != null) {
            builder.nodeLabel(nodeLabel);
        }
        Path runDirectory = restarts.runDirectory();
        if (runDirectory != null) {
            builder.runDirectory(runDirectory);
        }
        return builder.build();
    }

    private @Nullable StoreAddress store() {
        if (!backend.equals("c10d") && !backend.equals("static")) {
            throw new IllegalArgumentException(
                    "there is no --rdzv-backend '%s': write c10d or static, or leave it out".formatted(backend));
        }
        if (isStandalone && (endpoint != null || masterAddress != null)) {
            throw new IllegalArgumentException(
                    "--standalone has a store of its own: leave it or the store's address out");
        }
        if (endpoint != null && masterAddress != null) {
            throw new IllegalArgumentException("--rdzv-endpoint and --master-addr both name the store: leave one out");
        }
        return masterAddress == null ? endpoint : new StoreAddress(masterAddress, masterPort, "");
    }
}
