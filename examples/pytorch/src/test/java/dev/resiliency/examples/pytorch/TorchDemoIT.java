package dev.resiliency.examples.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example as a user does: the script, with real processes and real signals. */
class TorchDemoIT {
    @TempDir
    private Path directory;

    private JsonNode run(String name, String... arguments) throws Exception {
        Path place = Files.createDirectory(directory.resolve(name));
        Path report = place.resolve("report.json");
        Script script = new Script(place, "pytorch.sh", "--plain", "--json=" + report);
        assertThat(script.run(arguments)).as(() -> output(script)).isZero();
        assertThat(script.output()).doesNotContain("FAILED");
        assertThat(script.filesLeft()).isEmpty();
        return read(report);
    }

    private static String output(Script script) {
        return script.output();
    }

    private static JsonNode read(Path report) throws IOException {
        return Json.MAPPER.readTree(report.toFile());
    }

    @Test
    void exceptionAndKillAndSuspensionAreSurvivedWithTheAccuracyOfARunWithout() throws Exception {
        JsonNode broken = run("broken");

        assertThat(broken.get("ranks").intValue()).isEqualTo(4);
        assertThat(broken.get("survivors").intValue()).isEqualTo(2);
        assertThat(broken.get("restarts").findValuesAsText("cause")).containsExactly("exception", "kill", "sigstop");
        assertThat(broken.get("restarts").findValuesAsText("stateFrom")).isSubsetOf("memory", "peers");
        assertThat(broken.get("stepsLost").intValue()).isZero();

        JsonNode whole = run("whole", "--no-faults");

        assertThat(whole.get("survivors").intValue()).isEqualTo(4);
        // Sums of other worlds round differently.
        assertThat(broken.get("accuracy").doubleValue())
                .isCloseTo(whole.get("accuracy").doubleValue(), Offset.offset(0.01));
    }

    @Tag("full")
    @Test
    void withoutReducerAKilledRankIsReplaced() throws Exception {
        JsonNode json = run("replaced", "--no-reducer", "--replace", "--fault=kill:1@200");

        assertThat(json.get("survivors").intValue()).isEqualTo(4);
        assertThat(json.get("worldSizeAtEnd").intValue()).isEqualTo(4);
        assertThat(json.get("joins")).hasSize(1);
        assertThat(json.get("stepsLost").intValue()).isZero(); // the one that joins receives the state of the others
    }
}
