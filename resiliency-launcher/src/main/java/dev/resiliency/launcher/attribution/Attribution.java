package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.OutputTail;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.OpenSection;
import dev.resiliency.store.spi.SessionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an agent contributes to the question why its job was interrupted: it notes what happens to its processes, gathers evidence,
 * and, if it is the lowest, writes the reports. The thread of the agent calls the methods, which never block; all else happens on
 * a thread of this class.
 */
public final class Attribution {
    /** How often to look whether processes that were started again take part. */
    private static final Duration RETURN_INTERVAL = Duration.ofMillis(200);

    private final AttributionSettings settings;
    private final LauncherLog log;
    private final Gatherer gatherer;
    private final Supplier<SessionStore> reconnect;
    private final AttributionThread thread;
    private final Queue<Runnable> tasks; // written by any thread
    private final IntFunction<Optional<RankStamps>> stamps;

    // Of the thread of the agent:
    private final Map<Integer, Running> running = new HashMap<>();
    private final Set<Integer> asked = new HashSet<>();
    private final Set<Integer> overdue = new HashSet<>();
    private final Absences absences;
    private final Resumptions resumptions = new Resumptions();
    /** Those that are to end, of which no fact says so yet. */
    private final List<String> ending = new ArrayList<>();

    private int cycle;
    private boolean leads;
    private boolean hasLostStore;
    private @Nullable FactWriter writer;
    private @Nullable Reporter reporter;

    /** A process that runs. */
    private record Running(String name, int cycle, int rank, int member, long pid) {}

    /**
     * Creates the attribution of an agent.
     *
     * @param stamps returns what a process has stamped
     * @param reconnect how the store of an agent that is cut off from it is reached again
     */
    public Attribution(
            AttributionSettings settings,
            LauncherLog log,
            IntFunction<Optional<RankStamps>> stamps,
            Supplier<SessionStore> reconnect) {
        this.settings = settings;
        this.log = log;
        this.stamps = stamps;
        this.reconnect = reconnect;
        absences = new Absences(
                settings.processes(),
                process -> stamps.apply(process).filter(this::takesPart).isPresent());
        gatherer =
                new Gatherer(Path.of("").toAbsolutePath(), settings.command(), System.getenv(), settings.kernelLog());
        thread = new AttributionThread(log);
        tasks = thread.tasks();
    }

    private boolean takesPart(RankStamps stamped) {
        return stamped.iteration().isPresent() || (settings.spares() > 0 && stamped.part() == JobPart.MEMBER);
    }

    /**
     * Begins to note what happens.
     *
     * @param session of the agent
     * @param agents the same, with the prefix of the job's agents
     * @param announce receives what to say in the events of the job, on any thread
     * @param stop ends the job for this reason; called on any thread
     */
    public void open(SessionStore session, SessionStore agents, Consumer<String> announce, Consumer<String> stop) {
        writer = new FactWriter(new ReportStore(agents), gatherer, tasks);
        Reporter opened = new Reporter(
                settings,
                agents,
                LaunchedJob.of(session, settings.jobId(), 1),
                new Incidents(System::nanoTime),
                settings.service() == null ? null : new AttributionService(settings.service()),
                log,
                announce,
                stop,
                tasks);
        opened.submitReportsOfAll();
        reporter = opened;
        thread.start(opened);
    }

    /** The node has a seat. */
    public void seated(int newCycle, int worldSize) {
        cycle = newCycle;
        Reporter current = reporter;
        if (current != null) {
            tasks.add(() -> current.seated(newCycle, worldSize));
        }
    }

    /**
     * A process runs.
     *
     * @param rank negative for a spare process
     * @param promise the number by which the job knows it, if it is a replacement
     */
    public void started(int process, String name, int rank, long pid, OptionalInt promise, boolean isFirst) {
        int member = promise.orElse(isFirst && rank >= 0 ? rank : Fact.NONE);
        running.put(process, new Running(name, cycle, rank, member, pid));
        asked.remove(process);
        overdue.remove(process);
        FactWriter facts = writer;
        if (facts == null) {
            return;
        }
        promise.ifPresent(number -> facts.noteMember(number, name, settings.node()));
        if (absences.started(process)) {
            recovered();
        }
    }

    /** Returns what a process has stamped, and notes where it goes on after a restart. */
    public Optional<RankStamps> stamps(int process) {
        Optional<RankStamps> found = stamps.apply(process);
        if (running.containsKey(process)) {
            found.ifPresent(stamped -> noteSteps(process, stamped));
        }
        return found;
    }

    private void noteSteps(int process, RankStamps stamped) {
        boolean wereTold = resumptions.areStepsTold();
        List<Resumption> seen = resumptions.look(cycle, process, stamped);
        Reporter current = reporter;
        if (current != null && resumptions.areStepsTold() && !wereTold) {
            tasks.add(current::stepsAreTold);
        }
        FactWriter facts = writer;
        if (facts != null) {
            seen.forEach(resumption -> {
                // All ranks see the same, or one step more or less: those who do are one fact.
                String name = "resumed/%d/%d/%d-%d"
                        .formatted(cycle, resumption.iteration(), resumption.from(), resumption.to());
                facts.postOnce(name, Fact.resumed(System.currentTimeMillis(), settings.node(), resumption));
            });
        }
    }

    /** Returns by which number the job knows a process, as it has stamped: one that joins is given it. */
    private int stampedMember(int process) {
        return stamps(process)
                .map(RankStamps::initialRank)
                .orElse(OptionalInt.empty())
                .orElse(Fact.NONE);
    }

    /** Notes by which number the job knows a process, if it takes part. */
    private void noteMember(int process) {
        Running known = running.get(process);
        int member = stampedMember(process);
        if (writer != null && known != null && member != Fact.NONE && known.member() != member) {
            running.put(process, new Running(known.name(), known.cycle(), known.rank(), member, known.pid()));
            writer.noteMember(member, known.name(), settings.node());
        }
    }

    /** Returns when {@link #look} is due; empty if it is not. */
    public Optional<Duration> untilLook() {
        return absences.awaitReturn() ? Optional.of(RETURN_INTERVAL) : Optional.empty();
    }

    /** Looks whether processes take part by now. */
    public void look() {
        running.keySet().forEach(this::noteMember);
        if (absences.awaitReturn() && absences.areBack()) {
            recovered();
        }
    }

    private void recovered() {
        post(Kind.RECOVERED, settings.node(), "runs all of its processes", List.of());
    }

    /**
     * A process has not shown progress in time, and is ended for that.
     *
     * @param isStopped whether a signal has suspended it
     */
    public void overdue(int process, String reason, boolean isStopped) {
        noteMember(process);
        Running known = running.get(process);
        if (known == null || writer == null) {
            return;
        }
        overdue.add(process);
        Evidence evidence = stamps.apply(process).map(Attribution::evidenceOf).orElse(Evidence.NONE);
        writer.post(
                new Fact(
                        0,
                        Kind.OVERDUE,
                        known.cycle(),
                        System.currentTimeMillis(),
                        settings.node(),
                        known.name(),
                        known.rank(),
                        known.member(),
                        known.pid(),
                        isStopped ? "is suspended (state T); " + reason : reason,
                        null,
                        null,
                        false,
                        null,
                        isStopped ? Standing.of(Activity.SUSPENDED) : null,
                        List.of(),
                        evidence,
                        null),
                null);
    }

    private static Evidence evidenceOf(RankStamps stamped) {
        Long step = stamped.step().isPresent() ? stamped.step().getAsLong() : null;
        List<String> sections =
                stamped.openSections().stream().map(OpenSection::name).toList();
        return Evidence.ofHang(sections, step, List.of()).and(Evidence.of(stamped.memory()));
    }

    /** A process is asked to end, or killed. */
    public void asked(int process) {
        Running known = running.get(process);
        if (asked.add(process) && known != null && !overdue.contains(process)) {
            ending.add(known.name());
        }
    }

    /** All are asked whom the agent ends at this moment. */
    public void askedAll() {
        if (!ending.isEmpty()) {
            post(Kind.ENDS, settings.node(), "ends " + String.join(", ", ending), List.copyOf(ending));
            ending.clear();
        }
    }

    /**
     * A process has ended, or could not be started.
     *
     * @param name what its agent calls it
     * @param tail what it has printed last; null if it does not print to this agent
     */
    public void ended(int process, String name, RankEnd end, @Nullable OutputTail tail) {
        noteMember(process);
        Running former = running.remove(process);
        Running known = former == null ? new Running(name, cycle, Fact.NONE, Fact.NONE, 0) : former;
        stamps.apply(process).ifPresent(stamped -> resumptions.ended(process, stamped));
        boolean wasAsked = asked.remove(process);
        boolean isAsked = wasAsked && !overdue.remove(process); // what it was asked for is its own fault otherwise
        boolean isFault = end.verdict() != Verdict.COMPLETED && !isAsked;
        if (isFault || isAsked) {
            absences.ended(process);
        }
        if (isFault && writer != null) {
            MemoryUse memory = stamps.apply(process).map(RankStamps::memory).orElse(MemoryUse.NONE);
            EndedProcess ended =
                    new EndedProcess(known.name(), known.rank(), known.member(), known.pid(), end, memory, tail);
            writer.post(ended.fact(known.cycle(), System.currentTimeMillis(), settings.node()), ended);
        }
    }

    /** The processes of this node have ended, and its agent is about to leave: none of them starts again. */
    public void leaving() {
        if (!hasLostStore && absences.any()) {
            post(Kind.LEFT, settings.node(), "has left", List.of());
        }
    }

    /** Another node is lost, and this agent is the first that has noticed it. */
    public void nodeLost(String name) {
        if (name.equals(settings.node())) {
            post(Kind.AGENT_REPLACED, name, "has lost its former agent", List.of());
        } else {
            post(Kind.NODE_LOST, name, "is lost: its agent is gone, or was silent for its lease", List.of());
        }
    }

    /** This agent was refused: it has never joined, so its report is local only. */
    public void refused(String reason) {
        reportOfThisAgent(Kind.REFUSED, "was refused: " + reason, Reporter::reportAlone);
    }

    /** This agent leaves, as too few nodes have come; the others leave, too. */
    public void nodesMissing(String reason) {
        reportOfThisAgent(Kind.NODES_MISSING, "has given up waiting: " + reason, Reporter::reportAlone);
    }

    /** This agent cannot use the store any more. */
    public void storeLost(String reason) {
        hasLostStore = true;
        reportOfThisAgent(Kind.STORE_LOST, "has lost the store: " + reason, Reporter::reportAlone);
    }

    /** The store takes this agent for dead. */
    public void cutOff(String reason) {
        hasLostStore = true;
        reportOfThisAgent(
                Kind.CUT_OFF,
                "was cut off from the store, and lives: " + reason,
                (current, fact) -> current.reportCutOff(fact, reconnect));
    }

    private void reportOfThisAgent(Kind kind, String text, BiConsumer<Reporter, Fact> report) {
        Reporter current = reporter;
        if (current != null) {
            Fact fact = Fact.ofNode(kind, cycle, System.currentTimeMillis(), settings.node(), text, List.of());
            tasks.add(() -> report.accept(current, fact));
        }
    }

    private void post(Kind kind, String node, String text, List<String> ended) {
        if (writer != null) {
            writer.post(Fact.ofNode(kind, cycle, System.currentTimeMillis(), node, text, ended), null);
        }
    }

    /** Says whether this agent is the lowest of those that live. */
    public void lead(boolean isLowest) {
        Reporter current = reporter;
        if (current != null && isLowest != leads) {
            leads = isLowest;
            tasks.add(() -> current.lead(isLowest));
        }
    }

    /** Writes what is known, within a few seconds: the agent ends. */
    public void finish() throws InterruptedException {
        if (writer != null && reporter != null) {
            thread.finish(writer, reporter);
        }
    }
}
