package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.LaunchResult;
import dev.resiliency.launcher.ReportSettings.ManagedService;
import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentEvent.EndAdvised;
import dev.resiliency.launcher.agent.AgentEvent.Notified;
import dev.resiliency.launcher.attribution.Attribution;
import dev.resiliency.launcher.attribution.AttributionSettings;
import dev.resiliency.launcher.attribution.ServiceSettings;
import dev.resiliency.launcher.gpu.MemoryReclaim;
import dev.resiliency.launcher.gpu.MemoryWait;
import dev.resiliency.launcher.gpu.NvidiaSmi;
import dev.resiliency.launcher.health.HealthWatch;
import dev.resiliency.launcher.health.HostClock;
import dev.resiliency.launcher.health.NodeChecks;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.RankOutput;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.NumaBinding;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.ReceivedSignals;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.JobBudget;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Node;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.launcher.rendezvous.NodeSettings;
import dev.resiliency.launcher.rendezvous.Terms;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Puts the parts of an agent together, and takes them apart when it has ended. */
public final class NodeAgent {
    /** The store is there already when the agent needs a second session. */
    private static final Duration RECONNECT = Duration.ofSeconds(5);

    private final LaunchConfig config;
    private final IntFunction<Duration> backoff;
    private final PresentAgent present = new PresentAgent();

    /** Creates the agent of this node. */
    public NodeAgent(LaunchConfig config, IntFunction<Duration> backoff) {
        this.config = config;
        this.backoff = backoff;
    }

    /** Runs the agent: see {@link dev.resiliency.launcher.Launcher#run}. */
    @SuppressWarnings("try") // the signals only need to be received
    public LaunchResult run(List<String> command) throws InterruptedException {
        String jobId = new Environment(0, 1, 0, "127.0.0.1", 0, config.jobId()).jobId(); // checks it
        String node = nodeName();
        LauncherLog log = LauncherLog.ofAgent(node);
        RunDirectory directory = RunDirectory.openOrNone(config.runDirectory(), log::line);
        ProcessTools tools = ProcessTools.find(path());
        tools.missing().ifPresent(log::line);
        NumaBinding binding;
        String domain;
        try {
            binding = binding();
            domain = NodeDomain.find(config, path());
        } catch (IOException e) {
            log.line(e.getMessage() + "; exit code " + ExitCode.FAILED);
            return new LaunchResult(ExitCode.FAILED, String.valueOf(e.getMessage()));
        }
        RankCommand ranks = new RankCommand(command, config.processes(), binding);
        try (JobStore first = JobStore.open(config, node, log);
                AgentSuccession succession =
                        AgentSuccession.open(config, first, jobId, node, addressTowards(first), log);
                NodeLogs logs = NodeLogs.open(config.logs(), jobId, node, log);
                RankOutput output = logs.output(config.processes() + config.spares() > 1, log);
                NodeStamps stamps = NodeStamps.open(config.monitor(), directory, jobId, node, log);
                RankProcesses processes = new RankProcesses(ranks, tools, directory, output, stamps, log);
                ReceivedSignals signals = ReceivedSignals.receiveIfPossible(
                        present::stop,
                        signal -> present.bring((inbox, effects) -> inbox.later(new Notified(signal))),
                        log::line)) {
            stamps.onAsked(() -> present.bring((inbox, effects) -> inbox.execute(effects::lookAtRanks)));
            JobStore store = first;
            String signal = present.beginToWait();
            while (signal == null) {
                LaunchResult result = runOn(
                        store,
                        succession,
                        ranks,
                        nodeSettings(jobId, node, domain, store),
                        logs,
                        stamps,
                        processes,
                        log);
                if (!succession.isMoving()) {
                    return result;
                }
                signal = present.beginToWait();
                if (signal != null) {
                    return result.exitCode() == ExitCode.COMPLETED ? result : stopped(signal, log);
                }
                try {
                    // Also of one that is through: others may learn from its vote that the job is complete.
                    store = succession.next();
                } catch (StoreException nobodyElse) {
                    if (result.exitCode() == ExitCode.COMPLETED) {
                        return result;
                    }
                    throw nobodyElse;
                }
                if (store == null) {
                    log.line("all ranks have completed; exit code " + ExitCode.COMPLETED);
                    return new LaunchResult(ExitCode.COMPLETED, "all ranks have completed");
                }
            }
            return stopped(signal, log);
        } catch (StoreException | IOException e) {
            log.line(e.getMessage() + "; exit code " + ExitCode.FAILED);
            return new LaunchResult(ExitCode.FAILED, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            String signal = present.stopSignal();
            if (signal == null) {
                throw e;
            }
            return stopped(signal, log);
        }
    }

    private static LaunchResult stopped(String signal, LauncherLog log) {
        String why = "received SIG%s while it waited for the store".formatted(signal);
        log.line("%s; exit code %d".formatted(why, ExitReason.codeOf(signal)));
        return new LaunchResult(ExitReason.codeOf(signal), why);
    }

    private String addressTowards(JobStore store) {
        return config.localAddress() == null ? OwnHost.address(store.host(), store.port()) : config.localAddress();
    }

    /** Runs the agent until its end, or until the store is lost. */
    @SuppressWarnings("try") // the attribution service only needs to run
    private LaunchResult runOn(
            JobStore store,
            AgentSuccession succession,
            RankCommand command,
            NodeSettings node,
            NodeLogs logs,
            NodeStamps stamps,
            RankProcesses processes,
            LauncherLog log)
            throws InterruptedException, IOException {
        logs.moveTo(store);
        try (@Nullable AttributionProcess service = startAttribution(store, log)) {
            log.line("this agent %s the store of job '%s' at %s:%d"
                    .formatted(store.server() == null ? "uses" : "hosts", node.jobId(), store.host(), store.port()));
            return run(store, succession, command, node, stamps, processes, log);
        }
    }

    /** Starts the attribution service, if this agent is the one that runs it; null if not. */
    private @Nullable AttributionProcess startAttribution(JobStore store, LauncherLog log) throws IOException {
        ManagedService managed = config.reports().managed();
        Path prefix = config.logs().prefix();
        return managed == null || prefix == null || store.server() == null
                ? null
                : AttributionProcess.start(managed, LogFiles.of(prefix), System.getenv(), log);
    }

    private LaunchResult run(
            JobStore store,
            AgentSuccession succession,
            RankCommand command,
            NodeSettings node,
            NodeStamps stamps,
            RankProcesses processes,
            LauncherLog log)
            throws InterruptedException {
        Optional<NvidiaSmi> memory = gpuMemory();
        MemoryReclaim reclaim = new MemoryReclaim(
                config.gpuMemoryTimeout(), config.gpuMemoryToleranceMebibytes(), config.gpuMemoryInterval());
        AgentInbox inbox = new AgentInbox();
        StoreAddress address = new StoreAddress(store.host(), store.port(), "");
        processes.moveTo(
                inbox, new RankVariables(node.jobId(), address, config.budget().maxRestarts()));
        stamps.moveTo(succession.voter() == null ? null : address);
        try (TcpStore session = store.connect("agent", config.rendezvousTimeout());
                StatusService status = new StatusService(config.statusPage(), node.jobId(), store, log);
                JobLink link = new JobLink(node.jobId(), () -> connected(store));
                HealthWatch health = new HealthWatch(NodeChecks.of(config.health(), store.host(), store.port()))) {
            if (store.server() != null) {
                HostClock.serve(session);
            }
            Attribution attribution = new Attribution(
                    attributionSettings(node, command, store, log), log, stamps::stamps, () -> connected(store));
            NodeSession ofThisNode = new NodeSession(
                    session,
                    node,
                    inbox,
                    new SessionEvents(
                            inbox::add, log, () -> succession.loseStore(stamps.iteration()), succession::redirect),
                    succession.voter());
            stamps.share(ofThisNode);
            attribution.open(
                    session,
                    ofThisNode.store(),
                    line -> ofThisNode.report(JobEvent.Kind.REPORT, line),
                    reason -> inbox.later(new EndAdvised(reason)));
            try (NodeEffects effects = new NodeEffects(
                    inbox,
                    ofThisNode,
                    processes,
                    stamps,
                    link,
                    health,
                    new JobBudget(config.budget().maxRestarts(), config.budget().window()),
                    listener -> MemoryWait.start(reclaim, memory.orElseThrow(), listener),
                    () -> Master.here(store.server() == null ? node.address() : store.host()),
                    store.server() != null)) {
                Agent agent = new Agent(
                        new AgentSettings(config, backoff, memory.isPresent()),
                        new NodeHealth(config.health(), !health.isEmpty(), System::nanoTime),
                        System::nanoTime);
                List<Observer> observers = List.of(
                        new AttributionObserver(attribution, processes, ofThisNode::isLowest),
                        new LogObserver(log),
                        new StatusObserver(agent.state(), ofThisNode, stamps, attribution::stamps, status));
                present.enter(inbox, effects);
                Exit exit = new AgentLoop(agent, inbox, effects, observers).run();
                present.leave();
                attribution.finish();
                log.line(succession.isMoving() ? exit.why() : exit.why() + "; exit code " + exit.code());
                return new LaunchResult(exit.code(), exit.why());
            } finally {
                present.leave();
            }
        }
    }

    private @Nullable NumaBinding binding() throws IOException, InterruptedException {
        return config.gpusPerNumaNode().isPresent()
                ? NumaBinding.find(
                        config.gpusPerNumaNode().getAsInt(), config.numaBindStrict(), config.processes(), path())
                : null;
    }

    /** Its lease, too: the promises of an agent whose host is lost would else be waited for. */
    private static SessionStore connected(JobStore store) {
        try {
            SessionStore session = store.connect("agent-job", RECONNECT);
            if (store.server() == null) {
                session.send(List.of(new Operation.Lease(store.lease())));
            }
            return session;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop ends at its next wait
            throw new StoreException("interrupted", e);
        }
    }

    private static String path() {
        return System.getenv().getOrDefault("PATH", "");
    }

    /** Empty if the job does not wait for it, or this host has no GPUs. */
    private Optional<NvidiaSmi> gpuMemory() {
        return config.gpuMemoryTimeout().isZero() ? Optional.empty() : NvidiaSmi.find(path());
    }

    private AttributionSettings attributionSettings(
            NodeSettings node, RankCommand command, JobStore store, LauncherLog log) {
        return new AttributionSettings(
                node.jobId(),
                node.name(),
                config.processes(),
                config.spares(),
                command.of(0),
                config.reports().directory(),
                config.reports().kernelLog(),
                attributionService(store, log));
    }

    /** One that the launcher runs is asked by the agent that runs it: it serves its own host. */
    private @Nullable ServiceSettings attributionService(JobStore store, LauncherLog log) {
        URI endpoint = config.reports().endpoint();
        Path prefix = config.logs().prefix();
        boolean isManaged = config.reports().managed() != null;
        if (endpoint == null || prefix == null || (isManaged && store.server() == null)) {
            return null;
        }
        if (!config.reports().isUsable()) {
            log.line(
                    "the attribution service at %s is not used: logs are submitted over HTTP or HTTPS only. Reports need none"
                            .formatted(endpoint));
            return null;
        }
        LogFiles logs = LogFiles.of(prefix);
        return new ServiceSettings(
                endpoint,
                cycle -> logs.ofCycle(cycle).toString(),
                config.reports().endsJob(),
                config.reports().limit(),
                isManaged);
    }

    private NodeSettings nodeSettings(String jobId, String node, String domain, JobStore store) {
        return new NodeSettings(
                jobId,
                new Terms(
                        config.minNodes(),
                        config.processes(),
                        config.policy().toString(),
                        config.segment(),
                        config.refound()),
                config.maxNodes(),
                node,
                addressTowards(store),
                config.nodeRank().orElse(Node.NO_RANK),
                domain,
                config.rendezvousTimeout(),
                config.lastCall(),
                config.lease(),
                store.server() != null);
    }

    /** Several agents on one host have addresses of their own, so each is a node of its own. */
    private String nodeName() {
        if (config.nodeName() != null) {
            return config.nodeName();
        }
        return config.localAddress() == null ? OwnHost.name() : OwnHost.name() + "/" + config.localAddress();
    }
}
