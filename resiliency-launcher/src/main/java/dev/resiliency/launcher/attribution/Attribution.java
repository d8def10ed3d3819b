package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.OutputTail;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.MemoryUse;
import dev.resiliency.store.spi.SessionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an agent contributes to the question why its job was interrupted: it notes what happens to its processes, gathers evidence,
 * and, if it is the lowest, writes the reports. The thread of the agent calls the methods, which never block; all else happens on
 * a thread of this class.
 */
public final class Attribution {
    /** How long the agent may wait at its end for the last report. */
    private static final Duration LAST_REPORT = Duration.ofSeconds(5);

    private static final Duration LONG = Duration.ofHours(1);
    private static final String DEAD = "counts as dead";

    private final AttributionSettings settings;
    private final LauncherLog log;
    private final Gatherer gatherer;
    private final Supplier<SessionStore> reconnect;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>(); // written by any thread
    private final Thread thread;

    // Of the thread of the agent:
    private final Map<Integer, Running> running = new HashMap<>();
    private final Set<Integer> asked = new HashSet<>();
    private final Set<Integer> overdue = new HashSet<>();
    private final Set<Integer> down = new HashSet<>();
    private final List<String> followers = new ArrayList<>();
    private int cycle;
    private boolean leads;
    private boolean hasLostStore;
    private @Nullable FactWriter writer;
    private @Nullable Reporter reporter;

    /** A process that runs. */
    private record Running(String name, int cycle, int rank, int member, long pid) {}

    /** How the store of an agent that is cut off from it is reached again. */
    public Attribution(AttributionSettings settings, LauncherLog log, Supplier<SessionStore> reconnect) {
        this.settings = settings;
        this.log = log;
        this.reconnect = reconnect;
        gatherer =
                new Gatherer(Path.of("").toAbsolutePath(), settings.command(), System.getenv(), settings.kernelLog());
        thread = new Thread(this::run, "resiliency-attribution");
        thread.setDaemon(true);
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
        reporter = new Reporter(
                settings,
                agents,
                LaunchedJob.of(session, settings.jobId(), 1),
                new Incidents(System::nanoTime),
                settings.service() == null ? null : new AttributionService(settings.service()),
                log,
                announce,
                stop,
                tasks);
        reporter.submitReportsOfAll();
        thread.start();
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
        if (down.remove(process) && down.isEmpty()) {
            facts.post(
                    Fact.ofNode(
                            Kind.RECOVERED,
                            cycle,
                            System.currentTimeMillis(),
                            settings.node(),
                            "runs all of its processes again",
                            List.copyOf(followers)),
                    null);
            followers.clear();
        }
    }

    /**
     * A process has not shown progress in time, and is ended for that.
     *
     * @param sections those that are open
     * @param memory how full its memory is
     */
    public void overdue(int process, String reason, List<String> sections, MemoryUse memory) {
        Running known = running.get(process);
        if (known == null || writer == null) {
            return;
        }
        overdue.add(process);
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
                        reason,
                        null,
                        null,
                        false,
                        null,
                        List.of(),
                        Evidence.ofHang(sections, null, List.of()).and(Evidence.of(memory))),
                null);
    }

    /** A process was asked to end, or killed. */
    public void asked(int process) {
        asked.add(process);
    }

    /**
     * A process has ended, or could not be started.
     *
     * @param name what its agent calls it
     * @param memory how full its memory was
     * @param tail what it has printed last; null if it does not print to this agent
     */
    public void ended(int process, String name, RankEnd end, MemoryUse memory, @Nullable OutputTail tail) {
        Running former = running.remove(process);
        Running known = former == null ? new Running(name, cycle, Fact.NONE, Fact.NONE, 0) : former;
        boolean wasAsked = asked.remove(process);
        boolean isAsked = wasAsked && !overdue.remove(process); // what it was asked for is its own fault otherwise
        boolean isFault = end.verdict() != Verdict.COMPLETED && !isAsked;
        if (isFault || isAsked) {
            down.add(process);
        }
        if (isAsked) {
            followers.add(known.name());
        }
        if (isFault && writer != null) {
            EndedProcess ended =
                    new EndedProcess(known.name(), known.rank(), known.member(), known.pid(), end, memory, tail);
            writer.post(ended.fact(known.cycle(), System.currentTimeMillis(), settings.node()), ended);
        }
    }

    /** The processes of this node have ended, and its agent is about to leave: none of them starts again. */
    public void leaving() {
        if (writer != null && !followers.isEmpty() && !hasLostStore) {
            writer.post(
                    Fact.ofNode(
                            Kind.LEFT,
                            cycle,
                            System.currentTimeMillis(),
                            settings.node(),
                            "has ended those of its processes that still ran",
                            List.copyOf(followers)),
                    null);
            followers.clear();
        }
    }

    /** Another node is lost, and this agent is the first that has noticed it. */
    public void nodeLost(String name) {
        if (name.equals(settings.node())) {
            post(Kind.AGENT_REPLACED, name, "has lost its former agent");
        } else {
            post(Kind.NODE_LOST, name, "is lost: its agent is gone, or was silent for its lease");
        }
    }

    /** This agent was refused: it is none of the job, so that only its own log has the report. */
    public void refused(String reason) {
        reportAlone(Kind.REFUSED, "was refused: " + reason);
    }

    /** This agent leaves, as too few nodes have come: so do those that have. */
    public void nodesMissing(String reason) {
        reportAlone(Kind.NODES_MISSING, "has given up waiting: " + reason);
    }

    private void reportAlone(Kind kind, String text) {
        Reporter current = reporter;
        if (current != null) {
            Fact fact = Fact.ofNode(kind, cycle, System.currentTimeMillis(), settings.node(), text, List.of());
            tasks.add(() -> current.reportAlone(fact));
        }
    }

    private void post(Kind kind, String node, String text) {
        if (writer != null) {
            writer.post(Fact.ofNode(kind, cycle, System.currentTimeMillis(), node, text, List.of()), null);
        }
    }

    /** This agent cannot use the store any more. */
    public void storeLost(String reason) {
        Reporter current = reporter;
        if (current == null) {
            return;
        }
        hasLostStore = true;
        boolean isCutOff = reason.contains(DEAD);
        Fact fact = Fact.ofNode(
                isCutOff ? Kind.CUT_OFF : Kind.STORE_LOST,
                cycle,
                System.currentTimeMillis(),
                settings.node(),
                isCutOff ? "was cut off from the store, and lives: " + reason : "has lost the store: " + reason,
                List.of());
        tasks.add(() -> {
            if (isCutOff) {
                current.reportCutOff(fact, reconnect);
            } else {
                current.reportAlone(fact);
            }
        });
    }

    /** Says whether this agent is the lowest of those that live. */
    public void lead(boolean isLowest) {
        Reporter current = reporter;
        if (current != null && isLowest != leads) {
            leads = isLowest;
            tasks.add(() -> current.lead(isLowest));
        }
    }

    private void run() {
        try {
            while (true) {
                Duration limit = reporter == null ? LONG : reporter.untilDue();
                Runnable task = tasks.poll(limit.toMillis() + 1, TimeUnit.MILLISECONDS);
                if (task != null) {
                    attempt(task);
                }
                if (reporter != null) {
                    attempt(reporter::reportIfDue);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** A report that cannot be written must not cost the next one. */
    private void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.line("no report could be written: " + e.getMessage());
        }
    }

    /** Writes what is known, within a few seconds: the agent ends. */
    public void finish() throws InterruptedException {
        FactWriter facts = writer;
        Reporter last = reporter;
        if (facts == null || last == null) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        long deadline = System.nanoTime() + LAST_REPORT.toNanos();
        Runnable finish = new Runnable() {
            @Override
            public void run() {
                boolean isLate = System.nanoTime() - deadline > 0;
                if (!isLate && (facts.isBusy() || last.awaitsFacts())) {
                    pause();
                    tasks.add(this); // behind what it waits for
                } else {
                    attempt(last::reportLast);
                    done.countDown();
                }
            }
        };
        tasks.add(finish);
        done.await(LAST_REPORT.toMillis(), TimeUnit.MILLISECONDS);
        thread.interrupt();
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the fact that a wrapper has recorded a fault. */
    static Fact recorded(long number, int cycle, String node, int member, int worldSize, String kind, String message) {
        boolean isRank = member < worldSize;
        return new Fact(
                number,
                Kind.RECORDED,
                cycle,
                System.currentTimeMillis(),
                node,
                (isRank ? "rank " : "process ") + member,
                isRank ? member : Fact.NONE,
                member,
                0,
                textOf(kind, message),
                null,
                null,
                false,
                kind,
                List.of(),
                Evidence.NONE);
    }

    private static String textOf(String kind, String message) {
        return message.isEmpty() ? "has " + kind : message;
    }

    static Fact recorded(long number, int cycle, int worldSize, Interruption interruption) {
        return recorded(
                number,
                cycle,
                "",
                interruption.rank(),
                worldSize,
                interruption.kind().name(),
                interruption.message());
    }
}
