package dev.resiliency.launcher.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.resiliency.launcher.rendezvous.SimulatedJob;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.File;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus reads the metrics. */
@Tag("full")
class PrometheusIT {
    @TempDir
    private Path directory;

    @Test
    void prometheusReadsTheMetrics() throws Exception {
        List<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(path -> Path.of(path, "prometheus"))
                .filter(Files::isExecutable)
                .toList();
        assumeTrue(!found.isEmpty(), "NOT CHECKED: there is no Prometheus (Debian: apt-get install prometheus)");
        try (TcpStoreServer store = TcpStoreServer.builder().secret(null).start();
                TcpStore session = TcpStore.builder()
                        .host(store.host())
                        .port(store.port())
                        .secret(null)
                        .connect();
                StatusServer server = StatusServer.start(InetAddress.getLoopbackAddress(), 0, session, "job7", store)) {
            SimulatedJob job = new SimulatedJob(session, "job7", 1, 4);
            job.train(0, 100);
            Path settings = Files.writeString(directory.resolve("prometheus.yml"), """
                    global:
                      scrape_interval: 1s
                    scrape_configs:
                      - job_name: resiliency
                        static_configs:
                          - targets: ['127.0.0.1:%d']
                    """.formatted(
                            URI.create(server.url()).getPort()));
            int port = ProcessJob.freePort();
            Process prometheus = new ProcessBuilder(
                            found.get(0).toString(),
                            "--config.file=" + settings,
                            "--storage.tsdb.path=" + directory.resolve("data"),
                            "--web.listen-address=127.0.0.1:" + port)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
            try {
                HttpRequest query = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port
                                + "/api/v1/query?query=resiliency_ranks%7Bstate%3D%22running%22%7D"))
                        .build();
                HttpClient client = HttpClient.newHttpClient();
                await().atMost(Patience.stretch(Duration.ofSeconds(60)))
                        .ignoreExceptions()
                        .untilAsserted(() -> assertThat(client.send(query, BodyHandlers.ofString())
                                        .body())
                                .contains("\"job_id\":\"job7\"")
                                .contains("\"4\""));
            } finally {
                prometheus.destroyForcibly();
            }
        }
    }
}
