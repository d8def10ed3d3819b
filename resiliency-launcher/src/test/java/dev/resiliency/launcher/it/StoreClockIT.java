package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code resiliency store} answers for the clock of its host, which {@code resiliency doctor} compares. */
class StoreClockIT {
    @TempDir
    private Path directory;

    private ProcessJob start(String command, Map<String, String> variables, String... arguments) throws IOException {
        ProcessJob.Builder builder = ProcessJob.builder(
                        ResiliencyCommand.class, Files.createDirectory(directory.resolve(command)))
                .javaOptions("-Xmx256m")
                .arguments(arguments);
        variables.forEach(builder::environment);
        return builder.start();
    }

    private void compareClocks(Map<String, String> ofStore, Map<String, String> ofDoctor) throws Exception {
        int port = ProcessJob.freePort();
        String[] serve = {"store", "--port", Integer.toString(port), "--max-total-bytes", "100000000"};
        String[] compare = {"doctor", "--rdzv-endpoint", "127.0.0.1:" + port, "--max-clock-skew", "1m"};
        try (ProcessJob serving = start("store", ofStore, serve)) {
            RankProcess store = serving.rank(0);
            store.awaitLine("Store listens on 127.0.0.1:" + port);
            try (ProcessJob comparing = start("doctor", ofDoctor, compare)) {
                RankProcess doctor = comparing.rank(0);
                doctor.awaitExit();
                assertThat(String.join("\n", doctor.lines()))
                        .as(doctor.log())
                        .containsPattern("ok +clock +it is \\S+ (ahead of|behind) that of the store's host");
            }
            store.signal("TERM");
            assertThat(store.awaitExit()).as(store.log()).isZero();
            assertThat(store.log()).doesNotContain("refuses", "WARN");
        }
    }

    @Test
    void ofAPlainStore() throws Exception {
        compareClocks(Map.of(), Map.of());
    }

    @Test
    void ofAStoreThatEncrypts() throws Exception {
        Map<String, String> tls = new HashMap<>(SecretFiles.tls(directory));
        String trust = tls.remove(Tls.TRUST_VARIABLE);

        compareClocks(tls, Map.of(Tls.TRUST_VARIABLE, trust));
    }
}
