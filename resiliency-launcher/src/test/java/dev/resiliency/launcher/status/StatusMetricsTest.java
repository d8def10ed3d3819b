package dev.resiliency.launcher.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.SimulatedJob;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StatusMetricsTest {
    private static final Pattern NAME = Pattern.compile("resiliency_[a-z_]+");

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStoreServer store;

    @SuppressWarnings("NullAway.Init") // start() does
    private TcpStore session;

    @SuppressWarnings("NullAway.Init") // start() does
    private SimulatedJob job;

    @SuppressWarnings("NullAway.Init") // start() does
    private StatusMetrics metrics;

    @BeforeEach
    void start() throws Exception {
        store = TcpStoreServer.builder().secret(null).start();
        session = TcpStore.builder()
                .host(store.host())
                .port(store.port())
                .secret(null)
                .connect();
        job = new SimulatedJob(session, "job7", 2, 4);
        metrics = new StatusMetrics(JobFeed.open(session, "job7"), store);
    }

    @AfterEach
    void stop() {
        session.close();
        store.close();
    }

    private String scrape() throws InterruptedException {
        return metrics.scrape("text/plain; version=0.0.4; charset=utf-8");
    }

    private void awaitSample(String sample) {
        await().untilAsserted(() -> assertThat(scrape().lines()).contains(sample));
    }

    private void fault() throws InterruptedException {
        job.train(0, 100);
        job.train(1, 103);
        job.event("gpu-0000", JobEvent.Kind.RANK_ENDED, "rank 1 has failed", 0);
        job.event("gpu-0000", JobEvent.Kind.RESTART, "restart 1 of 10", 0);
        job.report(1, "{\"verdict\":\"SEGFAULT(libshard.so)\",\"cause\":\"SEGFAULT\",\"evidence\":[]}");
        job.lose(1);
    }

    @Test
    void metricsFollowTheJob() throws Exception {
        fault();

        awaitSample("resiliency_ranks{job_id=\"job7\",state=\"running\"} 4.0");
        awaitSample("resiliency_ranks{job_id=\"job7\",state=\"failed\"} 4.0");
        awaitSample("resiliency_nodes{job_id=\"job7\",state=\"lost\"} 1.0");
        awaitSample("resiliency_events_total{job_id=\"job7\",kind=\"rank_ended\"} 1.0");
        awaitSample("resiliency_restarts_total{job_id=\"job7\"} 1.0");
        awaitSample("resiliency_nodes_lost_total{job_id=\"job7\"} 1.0");
        awaitSample("resiliency_reports_total{cause=\"SEGFAULT\",job_id=\"job7\"} 1.0");
        awaitSample("resiliency_step{job_id=\"job7\",of=\"max\"} 100.0");
        assertThat(scrape())
                .containsPattern("resiliency_heartbeat_age_seconds\\{job_id=\"job7\",node=\"gpu-0000\"} \\d")
                .containsPattern("resiliency_store_requests_total\\{job_id=\"job7\"} [1-9]")
                .contains("jvm_memory_used_bytes", "process_uptime_seconds");

        job.publish(
                0,
                new NodeSnapshot(
                        System.currentTimeMillis(), List.of(RankSnapshot.of(1, 1, "running", 4713, 1, 1)), List.of()));
        awaitSample("resiliency_ranks_replaced_total{job_id=\"job7\"} 1.0");
        awaitSample("resiliency_events_total{job_id=\"job7\",kind=\"rank_ended\"} 1.0");
    }

    private Set<String> names() throws InterruptedException {
        return NAME.matcher(scrape().replaceAll("(?m)^#.*$", ""))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void dashboardAndDocumentHaveTheMetricsThatExist() throws Exception {
        fault();
        awaitSample("resiliency_ranks{job_id=\"job7\",state=\"failed\"} 4.0");
        awaitSample("resiliency_reports_total{cause=\"SEGFAULT\",job_id=\"job7\"} 1.0");

        Set<String> shown = new TreeSet<>();
        JsonNode dashboard = new ObjectMapper()
                .readTree(Path.of("../docs/recipes/grafana.json").toFile());
        dashboard
                .path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> NAME.matcher(target.path("expr").asText())
                                .results()
                                .forEach(name -> shown.add(name.group()))));
        assertThat(shown).isEqualTo(names());

        Set<String> documented = Files.readString(Path.of("../docs/watch-a-job.md"))
                .lines()
                .filter(line -> line.startsWith("| `resiliency_"))
                .flatMap(line -> NAME.matcher(line).results().map(MatchResult::group))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(names());
    }
}
