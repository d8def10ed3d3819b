package dev.resiliency.launcher.status;

import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.JobStatus;
import dev.resiliency.launcher.rendezvous.JobStatus.NodeStatus;
import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import dev.resiliency.launcher.rendezvous.JobView.Numbered;
import dev.resiliency.store.spi.StoreFigures;
import dev.resiliency.store.tcp.TcpStoreServer;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a job, in the text format of Prometheus. They are made when somebody reads them: all gauges from what the agents have
 * written, and counters from what has happened since the job began, or since its last 1,000 events. Safe for use by many threads, one
 * after the other: all fields are guarded by this object.
 */
final class StatusMetrics {
    private static final double MILLIS = 1000;

    private final JobFeed feed;
    /** Null if another process hosts the store. */
    private final @Nullable TcpStoreServer store;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MultiGauge nodes = gauge("resiliency.nodes", "Nodes of the job, by state.");
    private final MultiGauge ranks = gauge("resiliency.ranks", "Processes of all nodes, by state.");
    private final MultiGauge job = gauge("resiliency.job.cycle", "How often all ranks have started again.");
    private final MultiGauge spent =
            gauge("resiliency.job.restarts.spent", "Restarts that count towards --max-restarts.");
    private final MultiGauge ended = gauge("resiliency.job.ended", "1 if the job has ended.");
    private final MultiGauge steps = gauge("resiliency.step", "The least and the most advanced step of the ranks.");
    private final MultiGauge heartbeats =
            seconds("resiliency.heartbeat.age", "How long ago the last heartbeat of a node's most silent rank was.");
    private final Map<String, MultiGauge> storeGauges = new HashMap<>();
    private final Map<Integer, NodeSnapshot> snapshots = new HashMap<>();
    /** How far the clock of a node is ahead of that of this host. */
    private final Map<Integer, Long> ahead = new HashMap<>();

    private final Map<String, Integer> restartsOfProcess = new HashMap<>();
    private @Nullable JobStatus status;
    private long seen;
    private long requests;

    StatusMetrics(JobFeed feed, @Nullable TcpStoreServer store) {
        this.feed = feed;
        this.store = store;
        registry.config().commonTags("job_id", feed.jobId());
        for (JobEvent.Kind kind : JobEvent.Kind.values()) {
            count("resiliency.events", "Events of the job, by kind.", Tags.of("kind", lower(kind)), 0);
        }
        count("resiliency.restarts", "Restarts that were granted.", Tags.empty(), 0);
        count("resiliency.ranks.lost", "Processes that have failed.", Tags.empty(), 0);
        count("resiliency.ranks.replaced", "Processes that run in place of those that have failed.", Tags.empty(), 0);
        count("resiliency.nodes.lost", "Nodes whose agents have died.", Tags.empty(), 0);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private MultiGauge seconds(String name, String description) {
        return MultiGauge.builder(name)
                .description(description)
                .baseUnit("seconds")
                .register(registry);
    }

    private void count(String name, String description, Tags tags, double by) {
        io.micrometer.core.instrument.Counter.builder(name)
                .description(description)
                .tags(tags)
                .register(registry)
                .increment(by);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the metrics as they are now, in this format. */
    synchronized String scrape(String contentType) throws InterruptedException {
        JobView view = feed.view(seen);
        seen = view.version();
        view.events().forEach(this::count);
        view.reports().forEach(this::count);
        for (NodeRanks node : view.ranks()) {
            try {
                NodeSnapshot snapshot = NodeSnapshot.read(node.json());
                snapshots.put(node.arrival(), snapshot);
                ahead.put(node.arrival(), snapshot.ahead(node));
                countReplaced(node.arrival(), snapshot);
            } catch (IllegalArgumentException foreign) {
                // Not written by an agent of this release.
            }
        }
        status = view.status() == null ? status : view.status();
        if (status != null) {
            write(status);
        }
        writeStore();
        return registry.scrape(contentType);
    }

    private void count(JobEvent event) {
        count("resiliency.events", "Events of the job, by kind.", Tags.of("kind", lower(event.kind())), 1);
        switch (event.kind()) {
            case RESTART -> count("resiliency.restarts", "Restarts that were granted.", Tags.empty(), 1);
            case RANK_ENDED -> count("resiliency.ranks.lost", "Processes that have failed.", Tags.empty(), 1);
            case NODE_LOST -> count("resiliency.nodes.lost", "Nodes whose agents have died.", Tags.empty(), 1);
            default -> {}
        }
    }

    private void count(Numbered report) {
        String cause = ReportSummary.causeOf(report.json());
        count("resiliency.reports", "Reports of interruptions, by cause.", Tags.of("cause", cause), 1);
    }

    private void countReplaced(int arrival, NodeSnapshot snapshot) {
        for (RankSnapshot rank : snapshot.ranks()) {
            if (rank.state().equals("running")) {
                Integer before = restartsOfProcess.put(arrival + "." + rank.process(), rank.restarts());
                int replaced = rank.restarts() - (before == null ? 0 : before);
                if (replaced > 0) {
                    count("resiliency.ranks.replaced", "", Tags.empty(), replaced);
                }
            }
        }
    }

    private void write(JobStatus now) {
        Map<JobStatus.State, Integer> byState = new EnumMap<>(JobStatus.State.class);
        for (JobStatus.State state : JobStatus.State.values()) {
            byState.put(state, 0);
        }
        RankCounts counts = new RankCounts();
        List<Row<?>> ages = new ArrayList<>();
        for (NodeStatus node : now.nodes()) {
            byState.merge(node.state(), 1, Integer::sum);
            NodeSnapshot snapshot = snapshots.get(node.node().arrival());
            if (snapshot != null) {
                counts.add(node.state(), snapshot);
                if (node.state() == JobStatus.State.RUNS) {
                    addAge(node, snapshot, ages);
                }
            }
        }
        nodes.register(rows("state", byState), true);
        ranks.register(counts.rows(), true);
        heartbeats.register(ages, true);
        steps.register(counts.steps(), true);
        job.register(List.of(Row.of(Tags.empty(), now.cycle())), true);
        spent.register(List.of(Row.of(Tags.empty(), now.restarts())), true);
        ended.register(List.of(Row.of(Tags.empty(), now.end().isEmpty() ? 0 : 1)), true);
    }

    private static List<Row<?>> rows(String tag, Map<? extends Enum<?>, Integer> counts) {
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((state, count) -> rows.add(Row.of(Tags.of(tag, lower(state)), count)));
        return rows;
    }

    private void addAge(NodeStatus node, NodeSnapshot snapshot, List<Row<?>> ages) {
        long hostTime =
                System.currentTimeMillis() + ahead.getOrDefault(node.node().arrival(), 0L);
        snapshot.ranks().stream()
                .filter(rank -> rank.heartbeat() > 0 && rank.state().equals("running"))
                .mapToLong(rank -> hostTime - rank.heartbeat())
                .max()
                .ifPresent(age -> ages.add(Row.of(Tags.of("node", node.node().name()), Math.max(0, age) / MILLIS)));
    }

    private void writeStore() throws InterruptedException {
        StoreFigures figures = store == null ? null : store.figures();
        if (figures == null) {
            return;
        }
        write("resiliency.store.connections", "Open connections of the store.", figures.connections());
        write("resiliency.store.keys", "Keys of the store.", figures.keys());
        write("resiliency.store.size.bytes", "Bytes that count towards the limit of the store.", figures.bytes());
        write("resiliency.store.sessions", "Sessions of the store that have not ended.", figures.sessions());
        write("resiliency.store.waiting", "Requests that wait in the store.", figures.waiting());
        write("resiliency.store.watches", "Watches of all sessions of the store.", figures.watches());
        count("resiliency.store.requests", "Requests to the store.", Tags.empty(), (double)
                Math.max(0, figures.requests() - requests));
        requests = figures.requests();
    }

    private void write(String name, String description, long value) {
        storeGauges
                .computeIfAbsent(name, ignored -> gauge(name, description))
                .register(List.of(Row.of(Tags.empty(), value)), true);
    }
}
