package dev.resiliency.launcher;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.store.spi.guard.Printable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the agent of a node starts, and how it meets the agents of the other nodes. Corresponds to torchelastic's {@code
 * LaunchConfig}; the options of {@code resiliency run} have the same names.
 *
 * @since 0.1.0
 */
public final class LaunchConfig {
    /** The port of the store by default, as torchrun's. */
    public static final int DEFAULT_PORT = 29_400;

    private static final int HIGHEST_PORT = 65_535;
    /** An address that is all zeros, of either family. */
    private static final Pattern WILDCARD = Pattern.compile("[0.:]+");

    /** Its own, which nobody changes. */
    private final Builder settings;

    private LaunchConfig(Builder settings) {
        this.settings = settings;
    }

    /** Returns how many nodes found the job; it waits for them. */
    public int minNodes() {
        return settings.minNodes;
    }

    /** Returns how many nodes may be there when the job begins; those above {@code minNodes} are spare nodes. */
    public int maxNodes() {
        return settings.maxNodes;
    }

    /** Returns how many ranks each node has. */
    public int processes() {
        return settings.processes;
    }

    /** Returns how many more processes each node has, which join as reserves. */
    public int spares() {
        return settings.spares;
    }

    /** Returns the host of the store; null for a store of this node alone. */
    public @Nullable String host() {
        return settings.host;
    }

    /** Returns the port of the store; 0 for any free one, if {@code host} is null. */
    public int port() {
        return settings.port;
    }

    /** Returns the name of the job, the same on all nodes. */
    public String jobId() {
        return settings.jobId;
    }

    /** Returns the rank of this node, if its scheduler gives it one. */
    public OptionalInt nodeRank() {
        return settings.nodeRank;
    }

    /** Returns the name by which this is the same node when its agent is started again; null for the name of the host. */
    public @Nullable String nodeName() {
        return settings.nodeName;
    }

    /** Returns the address of this node; null to find out. */
    public @Nullable String localAddress() {
        return settings.localAddress;
    }

    /** Returns how many nodes of one domain get ranks together; 0 if each node gets its own. */
    public int segment() {
        return settings.segment;
    }

    /** Returns the domain of this node; null for its NVLink domain, if {@code segment} needs one. */
    public @Nullable String nodeLabel() {
        return settings.nodeLabel;
    }

    /** Returns what is started again after a failure. */
    public RestartPolicy policy() {
        return settings.policy;
    }

    /** Returns how many restarts the whole job has. */
    public RestartBudget budget() {
        return settings.restarts.budget();
    }

    /** Returns how long to wait before a restart. */
    public Backoff backoff() {
        return settings.restarts.backoff();
    }

    /** Returns how long a process may take to end after a signal, before it is killed. */
    public Duration grace() {
        return settings.restarts.grace();
    }

    /** Returns the time within which a failure is one at start-up. */
    public Duration startupTime() {
        return settings.restarts.startupTime();
    }

    /** Returns how many failures in a row at start-up of one rank end the job; 0 for no limit. */
    public int maxStartupFailures() {
        return settings.restarts.maxStartupFailures();
    }

    /** Returns what becomes of the reports about interruptions of the job. */
    public ReportSettings reports() {
        return settings.reports;
    }

    /** Returns how long to wait for {@code minNodes}. */
    public Duration rendezvousTimeout() {
        return settings.rendezvousTimeout;
    }

    /** Returns how long to wait for more nodes when {@code minNodes} are there. */
    public Duration lastCall() {
        return settings.lastCall;
    }

    /** Returns how long the store waits for a sign of life of an agent. */
    public Duration lease() {
        return settings.lease;
    }

    /** Returns whether agents found the store anew, see {@link Builder#refound}; never if the job has one node. */
    public boolean refound() {
        return settings.refound && settings.maxNodes > 1;
    }

    /** Returns by what the local rank is divided for the NUMA node to which a rank is bound; empty if it is bound to none. */
    public OptionalInt gpusPerNumaNode() {
        return settings.gpusPerNumaNode;
    }

    /** Returns whether the memory of a bound rank must come from its NUMA node, too. */
    public boolean numaBindStrict() {
        return settings.numaBindStrict;
    }

    /** Returns how long ranks that all start again wait until the memory of the GPUs is free; zero for not at all. */
    public Duration gpuMemoryTimeout() {
        return settings.gpuMemoryTimeout;
    }

    /** Returns how much memory of each GPU may stay in use. */
    public int gpuMemoryToleranceMebibytes() {
        return settings.gpuMemoryToleranceMebibytes;
    }

    /** Returns how often the memory of the GPUs is read. */
    public Duration gpuMemoryInterval() {
        return settings.gpuMemoryInterval;
    }

    /** Returns which checks this node must pass. */
    public HealthSettings health() {
        return settings.health;
    }

    /** Returns when a rank counts as hung. */
    public MonitorSettings monitor() {
        return settings.monitor;
    }

    /** Returns where agents note their processes. */
    public Path runDirectory() {
        return settings.runDirectory;
    }

    /** Returns where the output is kept. */
    public LogSettings logs() {
        return settings.logs;
    }

    /** Returns where the agent that hosts the store, or else that of the first node, serves the page of the job; null for none. */
    public @Nullable StatusPage statusPage() {
        return settings.statusPage;
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("%s is %d: it must be at least %d".formatted(name, value, least));
        }
    }

    /**
     * Where the page and the metrics of a job are served.
     *
     * @param address on which it listens
     * @param port 0 for any free one
     */
    public record StatusPage(String address, int port) {
        /** Checks the port. */
        public StatusPage {
            if (port < 0 || port > HIGHEST_PORT) {
                throw new IllegalArgumentException(
                        "status-port is %d: it must be from 0 to %d".formatted(port, HIGHEST_PORT));
            }
        }
    }

    /** Returns a builder with the defaults: one node with one rank, and a store of its own. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the settings of a {@link LaunchConfig}. Not safe for use by several threads. */
    public static final class Builder implements Cloneable {
        private int minNodes = 1;
        private int maxNodes = 1;
        private int processes = 1;
        private int spares;
        private @Nullable String host;
        private int port;
        private String jobId = "default";
        private OptionalInt nodeRank = OptionalInt.empty();
        private @Nullable String nodeName;
        private @Nullable String localAddress;
        private int segment;
        private @Nullable String nodeLabel;
        private RestartPolicy policy = RestartPolicy.SOFT;
        private SupervisorSettings restarts = SupervisorSettings.DEFAULT;
        private ReportSettings reports = ReportSettings.DEFAULT;
        private Duration rendezvousTimeout = Duration.ofMinutes(10);
        private Duration lastCall = Duration.ofSeconds(5);
        private Duration lease = Duration.ofSeconds(10);
        private boolean refound = true;
        private OptionalInt gpusPerNumaNode = OptionalInt.empty();
        private boolean numaBindStrict = true;
        private Duration gpuMemoryTimeout = Duration.ofSeconds(50);
        private int gpuMemoryToleranceMebibytes = 512;
        private Duration gpuMemoryInterval = Duration.ofSeconds(2);
        private HealthSettings health = HealthSettings.builder().build();
        private MonitorSettings monitor = MonitorSettings.DEFAULT;
        private Path runDirectory = RunDirectory.byDefault();
        private LogSettings logs = LogSettings.NONE;
        private @Nullable StatusPage statusPage;

        private Builder() {}

        /** Sets how many nodes found the job, and how many may be there when it begins. 1 and 1 by default. */
        public Builder nodes(int min, int max) {
            minNodes = min;
            maxNodes = max;
            return this;
        }

        /** Sets how many ranks each node has. 1 by default. */
        public Builder processes(int value) {
            processes = value;
            return this;
        }

        /** Sets how many more processes each node has, which join as reserves. 0 by default. */
        public Builder spares(int value) {
            spares = value;
            return this;
        }

        /**
         * Sets the address of the store: the agent whose node has that address hosts it, unless one runs there. By default the
         * agent hosts a store that other nodes cannot reach, at any free port.
         */
        public Builder store(String storeHost, int storePort) {
            host = Objects.requireNonNull(storeHost, "host");
            port = storePort;
            return this;
        }

        /** Sets the name of the job, the same on all nodes. {@code default} by default. */
        public Builder jobId(String value) {
            jobId = value;
            return this;
        }

        /** Sets the rank of this node. None by default: nodes are ordered by their names. */
        public Builder nodeRank(int value) {
            nodeRank = OptionalInt.of(value);
            return this;
        }

        /** Sets by which name the node is the same when its agent is started again. The name of its host by default. */
        public Builder nodeName(String value) {
            nodeName = value;
            return this;
        }

        /** Sets the address of this node, for hosts that have several. */
        public Builder localAddress(String value) {
            localAddress = value;
            return this;
        }

        /**
         * Sets how many nodes of one domain get ranks together: only whole segments of so many nodes get ranks, and each
         * consecutive ones. Nodes that fill none are spare nodes. 0 by default: each node gets its own ranks.
         */
        public Builder segment(int value) {
            segment = value;
            return this;
        }

        /**
         * Sets the domain of this node, whose nodes have fast links to each other, such as the name of its rack. By default the
         * NVLink domain that {@code nvidia-smi} names.
         */
        public Builder nodeLabel(String value) {
            nodeLabel = value;
            return this;
        }

        /** Sets what is started again after a failure. {@link RestartPolicy#SOFT} by default. */
        public Builder policy(RestartPolicy value) {
            policy = value;
            return this;
        }

        /** Sets how many restarts the whole job has. 10 within an hour by default. */
        public Builder budget(RestartBudget value) {
            restarts = restarts.with(value);
            return this;
        }

        /** Sets how long to wait before a restart. 1 s to 1 min by default. */
        public Builder backoff(Backoff value) {
            restarts = restarts.with(value);
            return this;
        }

        /** Sets how long a process may take to end after a signal, before it is killed. 30 s by default. */
        public Builder grace(Duration value) {
            restarts = restarts.withGrace(value);
            return this;
        }

        /**
         * Sets how many failures in a row at start-up of one rank end the job, and within which time a failure is one at
         * start-up. 5 within 10 s each by default.
         *
         * @param maxFailures 0 for no limit
         */
        public Builder startup(Duration time, int maxFailures) {
            restarts = restarts.withStartup(time, maxFailures);
            return this;
        }

        /** Sets what becomes of the reports about interruptions of the job. By default, the store alone keeps them. */
        public Builder reports(ReportSettings value) {
            reports = value;
            return this;
        }

        /** Sets how long to wait for the least number of nodes. 10 min by default. */
        public Builder rendezvousTimeout(Duration value) {
            rendezvousTimeout = value;
            return this;
        }

        /** Sets how long to wait for more nodes when the least number is there. 5 s by default. */
        public Builder lastCall(Duration value) {
            lastCall = value;
            return this;
        }

        /** Sets how long the store waits for a sign of life of an agent, whose node then counts as lost. 10 s by default. */
        public Builder lease(Duration value) {
            lease = value;
            return this;
        }

        /**
         * Sets whether the agents found the store anew if they lose that which one of them hosts: more than half of them must be
         * left. By default they do.
         */
        public Builder refound(boolean value) {
            refound = value;
            return this;
        }

        /**
         * Binds each rank to the processors and the memory of a NUMA node, with {@code numactl}: the node is the local rank
         * divided by this number. Ranks are not bound by default. {@code resiliency run} takes it from nvidia-resiliency-ext's
         * variable {@code NVRX_GPUS_PER_NUMA}.
         */
        public Builder gpusPerNumaNode(int value) {
            gpusPerNumaNode = OptionalInt.of(value);
            return this;
        }

        /** Sets whether the memory of a rank that is bound must come from its NUMA node, too. By default it must. */
        public Builder numaBindStrict(boolean value) {
            numaBindStrict = value;
            return this;
        }

        /**
         * Sets how long ranks that all start again wait for the memory of the GPUs, which a driver frees some time after their
         * processes have ended; then they start all the same. Zero for not at all, as without the program {@code nvidia-smi}.
         * 50 s by default.
         */
        public Builder gpuMemoryTimeout(Duration value) {
            gpuMemoryTimeout = value;
            return this;
        }

        /** Sets how much memory may be in use on each GPU when ranks start, in MiB. 512 by default. */
        public Builder gpuMemoryTolerance(int mebibytes) {
            gpuMemoryToleranceMebibytes = mebibytes;
            return this;
        }

        /** Sets how often the memory of the GPUs is read. 2 s by default. */
        public Builder gpuMemoryInterval(Duration value) {
            gpuMemoryInterval = value;
            return this;
        }

        /** Sets which checks this node must pass before its ranks start, and while they run. None by default. */
        public Builder health(HealthSettings value) {
            health = value;
            return this;
        }

        /** Sets when a rank counts as hung. Never by default. */
        public Builder monitor(MonitorSettings value) {
            monitor = value;
            return this;
        }

        /** Sets where agents note their processes: see {@link Supervisor.Builder#runDirectory}. */
        public Builder runDirectory(Path value) {
            runDirectory = value;
            return this;
        }

        /** Sets where the output is kept. Nowhere by default. */
        public Builder logs(LogSettings value) {
            logs = value;
            return this;
        }

        /**
         * Sets where the page and the metrics of the job are served, by one of its agents. None by default: whoever reaches the
         * address can read what happens in the job.
         */
        public Builder statusPage(@Nullable StatusPage value) {
            statusPage = value;
            return this;
        }

        /**
         * Returns the configuration.
         *
         * @throws IllegalArgumentException if a value is invalid, or contradicts another; names it
         */
        public LaunchConfig build() {
            check();
            try {
                return new LaunchConfig((Builder) clone()); // all values are immutable
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        private void check() {
            atLeast("the minimum of nnodes", minNodes, 1);
            if (maxNodes < minNodes) {
                throw new IllegalArgumentException(
                        "nnodes is %d:%d: the maximum must be at least the minimum".formatted(minNodes, maxNodes));
            }
            atLeast("nproc-per-node", processes, 1);
            atLeast("spares", spares, 0);
            if (port < 0 || port > HIGHEST_PORT) {
                throw new IllegalArgumentException("the port is " + port + ": it must be from 0 to 65535");
            }
            if (host != null && WILDCARD.matcher(host).matches()) {
                throw new IllegalArgumentException(
                        "the address of the store is '%s', which stands for all addresses of a host, and which other nodes cannot reach: name the host, or one of its addresses"
                                .formatted(host));
            }
            if (host == null && maxNodes > 1) {
                throw new IllegalArgumentException(
                        "a job of several nodes needs --rdzv-endpoint HOST[:PORT], the same on all nodes");
            }
            if (gpusPerNumaNode.isPresent()) {
                atLeast("the number of GPUs of a NUMA node", gpusPerNumaNode.getAsInt(), 1);
            }
            if (nodeRank.isPresent()) {
                atLeast("node-rank", nodeRank.getAsInt(), 0);
            }
            atLeast("segment", segment, 0);
            if (segment > 0 && minNodes % segment != 0) {
                throw new IllegalArgumentException("segment is %d: the minimum of nnodes, %d, must be a multiple of it"
                        .formatted(segment, minNodes));
            }
            if (nodeName != null
                    && (nodeName.isBlank() || !Printable.of(nodeName).equals(nodeName))) {
                throw new IllegalArgumentException("node-name is '%s': it must be printable, as it appears in logs"
                        .formatted(Printable.of(nodeName)));
            }
            if (nodeLabel != null && !nodeLabel.matches("[!-~]+")) {
                throw new IllegalArgumentException(
                        "node-label is '%s': it must be one word of ASCII characters".formatted(nodeLabel));
            }
            atLeast("gpu-memory-tolerance-mb", gpuMemoryToleranceMebibytes, 0);
            Durations.checked("gpu-memory-reclaim-timeout", gpuMemoryTimeout);
            if (Durations.checked("gpu-memory-poll-interval", gpuMemoryInterval).isZero()) {
                throw new IllegalArgumentException("gpu-memory-poll-interval is 0: it must be positive");
            }
            Durations.checked("rdzv-timeout", rendezvousTimeout);
            Durations.checked("rdzv-last-call", lastCall);
            if (Durations.checked("lease", lease).compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("lease is " + Durations.format(lease) + ": it must be at least 1s");
            }
        }
    }
}
