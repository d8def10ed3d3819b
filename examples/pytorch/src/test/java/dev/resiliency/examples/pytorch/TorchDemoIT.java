package dev.resiliency.examples.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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

    private Script script(String name) throws IOException {
        return new Script(Files.createDirectory(directory.resolve(name)), "pytorch.sh", "--plain");
    }

    @Test
    void exceptionAndKillAndSuspensionAreSurvivedWithTheAccuracyOfARunWithout() throws Exception {
        JsonNode broken = script("broken").demoOfThreeFaults();
        JsonNode whole = script("whole").demo("--no-faults");

        assertThat(whole.get("survivors").intValue()).isEqualTo(4);
        // Sums of other worlds round differently.
        assertThat(broken.get("accuracy").doubleValue())
                .isCloseTo(whole.get("accuracy").doubleValue(), Offset.offset(0.01));
    }

    /** The one that joins receives the state of the others. */
    @Tag("full")
    @Test
    void withoutReducerAKilledRankIsReplaced() throws Exception {
        script("replaced").demoOfAReplacement("--no-reducer", "--replace", "--fault=kill:1@200");
    }
}
