package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.NodeNames;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.guard.FileNames;
import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the reports of a job while its agent is the lowest that lives. Confined to the thread of the attribution, which it may
 * block for the few seconds that the store may take to answer.
 */
final class Reporter {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final AttributionSettings settings;
    private final ReportStore store;
    private final SessionStore agents;
    private final LaunchedJob job;
    private final LauncherLog log;
    private final Consumer<String> announce;
    private final Consumer<String> stop;
    private final Queue<Runnable> tasks;
    private final @Nullable AttributionService service;
    private final Incidents incidents;
    private JobHistory history = JobHistory.of(1);
    /** The faults of wrapped ranks that are facts already. */
    private final Set<String> recorded = new HashSet<>();
    /** The numbers of the reports about which the attribution service was asked. */
    private final Set<Long> submitted = new HashSet<>();

    private final String claimant = UUID.randomUUID().toString();
    private boolean leads;
    private boolean watches;
    private boolean hasLostStore;
    private long latestFact;
    private int cycle;
    private int worldSize = 1;
    /** The iteration that the wrapped ranks have begun last. */
    private int begunLast = Fact.NONE;

    private boolean areStepsTold;
    /** Null before the first report. */
    private @Nullable LatestReport latest;

    Reporter(
            AttributionSettings settings,
            SessionStore agents,
            LaunchedJob job,
            Incidents incidents,
            @Nullable AttributionService service,
            LauncherLog log,
            Consumer<String> announce,
            Consumer<String> stop,
            Queue<Runnable> tasks) {
        this.settings = settings;
        this.store = new ReportStore(agents);
        this.agents = agents;
        this.incidents = incidents;
        this.service = service;
        this.job = job;
        this.log = log;
        this.announce = announce;
        this.stop = stop;
        this.tasks = tasks;
    }

    void seated(int newCycle, int newWorldSize) {
        cycle = newCycle;
        worldSize = newWorldSize;
        history = history.withNodes(newWorldSize / settings.processes());
    }

    /** Ranks tell their steps, so that it will be known where they go on. */
    void stepsAreTold() {
        areStepsTold = true;
    }

    /** If this agent alone can ask the attribution service, it does so for each report, whoever writes it. */
    void submitReportsOfAll() {
        if (service != null && service.isOwn()) {
            store.watchReports(report -> tasks.add(() -> submit(report)));
        }
    }

    /** Begins to write reports, or leaves that to another agent: one with a lower number may have arrived late. */
    void lead(boolean isLowest) {
        leads = isLowest;
        if (!leads) {
            return;
        }
        try {
            history = JobHistory.of(history.nodes());
            for (CycleReport report : store.reports()) {
                history = history.and(report);
                incidents.skipTo(report.lastFact());
                latest = new LatestReport(report);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return;
        }
        if (!watches) {
            watches = true;
            watch();
        }
    }

    private void watch() {
        if (service != null && !service.isOwn()) {
            service.check(log::line);
        }
        store.watch(fact -> tasks.add(() -> add(fact)));
        job.watch(new LaunchedJob.Listener() {
            @Override
            public void began(int begun) {
                tasks.add(() -> {
                    begunLast = Math.max(begunLast, begun);
                    incidents.resumed(begun);
                });
            }

            @Override
            public void interrupted(int ended, List<Interruption> interruptions) {
                tasks.add(() -> {
                    if (latest != null && ended >= begunLast) {
                        latest.interrupted(ended);
                    }
                    faults(interruptions).forEach(each -> note(ended, each));
                });
            }
        });
    }

    /** A restart that was intended closes connections, too. */
    private static Stream<Interruption> faults(List<Interruption> interruptions) {
        boolean isIntended =
                !interruptions.isEmpty() && !interruptions.get(0).kind().isFault();
        return interruptions.stream()
                .filter(each -> each.kind().isFault())
                .filter(each -> !isIntended || each.kind() != Interruption.Kind.CONNECTION_LOST);
    }

    private void add(Fact fact) {
        latestFact = Math.max(latestFact, fact.number());
        LatestReport reported = latest;
        if (reported != null && reported.isAbout(fact)) {
            if (leads && !hasLostStore) {
                reported.complete(Objects.requireNonNull(fact.resumption())).ifPresent(this::completed);
            }
            return;
        }
        if (reported != null) {
            reported.note(fact);
        }
        incidents.add(fact);
    }

    private void completed(CycleReport complete) {
        String line = "report %d: %s".formatted(complete.number(), complete.steps());
        log.line(line);
        writeFiles(complete);
        replace(complete, line);
    }

    /** Replaces a report in the store, and announces what is new; returns whether it could. */
    private boolean replace(CycleReport complete, String line) {
        try {
            store.replace(complete);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return false;
        }
        announce.accept(line);
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the store may be lost by now
    private void note(int iteration, Interruption interruption) {
        String name = iteration + "/" + interruption.rank() + "/" + interruption.kind();
        if (!leads || !recorded.add(name)) {
            return;
        }
        if (interruption.kind() == Interruption.Kind.CANNOT_RUN) {
            stop.accept("rank %d cannot run, whenever it starts: %s"
                    .formatted(interruption.rank(), interruption.message()));
        }
        incidents.interrupted(iteration);
        int ranks = worldSize;
        int interrupted = cycle;
        store.nextFactOnce(name, claimant).thenAccept(number -> {
            if (number.isPresent()) {
                store.write(Fact.recorded(number.getAsLong(), interrupted, "", ranks, interruption));
            }
        });
    }

    Duration untilDue() {
        return leads ? incidents.untilDue().orElse(LONG) : LONG;
    }

    void reportIfDue() {
        if (leads && !hasLostStore) {
            incidents.ended().ifPresent(this::report);
        }
    }

    /** Returns whether facts are on their way, for which the last report should wait. */
    boolean awaitsFacts() {
        if (!leads || hasLostStore) {
            return false;
        }
        try {
            return ReportStore.await(store.latestFact()) > latestFact;
        } catch (StoreException lost) {
            return false;
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Reports the incident that is not over, if there is one: this agent ends. */
    void reportLast() {
        if (leads && !hasLostStore) {
            incidents.flush().ifPresent(this::report);
        }
    }

    private void report(Incident incident) {
        try {
            Incident placed = placed(incident);
            if (placed.isIntended()) {
                return;
            }
            CycleReport report =
                    CycleReport.of(placed, System.currentTimeMillis(), history).with(placed.repetition(), areStepsTold);
            CycleReport written = store.write(report, claimant);
            if (written != null) {
                latest = new LatestReport(written);
                history = history.and(written);
                publish(written);
                announce.accept(written.line());
                if (service != null && !service.isOwn()) {
                    submit(written);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Names the nodes of the ranks whose wrappers alone have said something. */
    private Incident placed(Incident incident) throws InterruptedException {
        if (incident.facts().stream().noneMatch(fact -> fact.node().isEmpty())) {
            return incident;
        }
        Map<Integer, String> nodes;
        try {
            nodes = ReportStore.await(
                    NodeNames.byGroup(agents, incident.first().first().cycle()));
        } catch (StoreException notSeated) {
            nodes = Map.of();
        }
        List<Fact> facts = new ArrayList<>();
        for (Fact fact : incident.facts()) {
            facts.add(fact.node().isEmpty() ? placed(fact, nodes) : fact);
        }
        return Incident.of(facts, incident.lasted());
    }

    private Fact placed(Fact fact, Map<Integer, String> nodes) throws InterruptedException {
        if (fact.rank() != Fact.NONE) {
            return fact.at(fact.who(), nodes.getOrDefault(fact.rank() / settings.processes(), ""));
        }
        String[] member = store.member(fact.member(), LIMIT);
        return member == null ? fact : fact.at(member[0], member[1]);
    }

    private void publish(CycleReport report) {
        log.line(report.line());
        writeFiles(report);
    }

    private void writeFiles(CycleReport report) {
        Path directory = settings.reports();
        if (directory == null) {
            return;
        }
        try {
            Files.createDirectories(directory);
            String name = "report-%s-%d".formatted(FileNames.of(settings.jobId()), report.number());
            OwnFiles.replace(directory.resolve(name + ".json"), Json.pretty(report) + "\n");
            OwnFiles.replace(directory.resolve(name + ".txt"), String.join("\n", ReportPage.of(report)) + "\n");
        } catch (IOException e) {
            log.line("the report could not be written into %s: %s".formatted(directory, e.getMessage()));
        }
    }

    private void submit(CycleReport report) {
        AttributionService asked = service;
        if (asked != null && report.external() == null && submitted.add(report.number())) {
            asked.submit(report, answer -> tasks.add(() -> answered(report, answer)));
        }
    }

    private void answered(CycleReport report, Recommendation answer) {
        CycleReport complete = Optional.ofNullable(latest)
                .flatMap(known -> known.with(report.number(), answer))
                .orElseGet(() -> report.with(answer));
        String line = "report %d: the attribution service says %s%s"
                .formatted(report.number(), answer.action(), answer.reason().isEmpty() ? "" : ": " + answer.reason());
        log.line(line);
        if (hasLostStore || !replace(complete, line)) {
            return;
        }
        boolean stops = answer.action().equals(Recommendation.STOP);
        if (stops && settings.service() != null && settings.service().endsJob()) {
            stop.accept("the attribution service recommends to stop: " + answer.reason());
        }
    }

    /** Reports that this agent was refused or has lost its store, where nobody but its log and its directory can keep it. */
    void reportAlone(Fact fact) {
        hasLostStore = true;
        CycleReport report = CycleReport.of(
                Incident.of(List.of(fact.numbered(latestFact + 1))), System.currentTimeMillis(), history);
        publish(report.numbered(history.reports().size() + 1));
    }

    /** Tells the job, through another session, that this agent was not dead. */
    void reportCutOff(Fact fact, Supplier<SessionStore> reconnect) {
        hasLostStore = true;
        log.line(fact.who() + " " + fact.text());
        try (SessionStore session = reconnect.get()) {
            ReportStore again = new ReportStore(NodeSession.storeOf(session, settings.jobId()));
            ReportStore.await(again.write(fact.numbered(ReportStore.await(again.nextFact()))));
        } catch (StoreException stillCutOff) {
            log.line("the others cannot be notified: " + stillCutOff.getMessage());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
