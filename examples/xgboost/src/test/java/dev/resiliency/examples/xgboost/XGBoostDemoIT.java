package dev.resiliency.examples.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example as a user does: the script, with real processes and real signals. */
class XGBoostDemoIT {
    private static final Pattern DIGEST = Pattern.compile("The model has the digest ([0-9a-f]+)");

    @TempDir
    private Path directory;

    /** What a run has reported. */
    private record Run(JsonNode report, String digest) {}

    private Run run(String name, String... arguments) throws Exception {
        Path place = Files.createDirectory(directory.resolve(name));
        Path report = place.resolve("report.json");
        Script script = new Script(place, "xgboost.sh", "--plain", "--json=" + report);
        assertThat(script.run(arguments)).as(script::output).isZero();
        assertThat(script.output()).doesNotContain("FAILED");
        assertThat(script.filesLeft()).isEmpty();
        Matcher digest = DIGEST.matcher(script.output());
        assertThat(digest.find()).as(script::output).isTrue();
        return new Run(Json.MAPPER.readTree(report.toFile()), digest.group(1));
    }

    @Test
    void exceptionAndKillAndSuspensionAreSurvivedWithTheModelOfARunWithout() throws Exception {
        Run broken = run("broken");

        assertThat(broken.report.get("ranks").intValue()).isEqualTo(4);
        assertThat(broken.report.get("survivors").intValue()).isEqualTo(2);
        assertThat(broken.report.get("restarts").findValuesAsText("cause"))
                .containsExactly("exception", "kill", "sigstop");
        assertThat(broken.report.get("restarts").findValuesAsText("stateFrom")).isSubsetOf("memory", "peers");
        assertThat(broken.report.get("stepsLost").intValue()).isZero();

        Run whole = run("whole", "--no-faults");

        assertThat(whole.report.get("survivors").intValue()).isEqualTo(4);
        assertThat(broken.digest).isEqualTo(whole.digest);
    }

    @Tag("full")
    @Test
    void ranksThatAreLostComeBackAndReceiveTheModel() throws Exception {
        Run replaced = run("replaced", "--steps=400", "--replace", "--fault=kill:1@40");

        assertThat(replaced.report.get("survivors").intValue()).isEqualTo(4);
        assertThat(replaced.report.get("worldSizeAtEnd").intValue()).isEqualTo(4);
        assertThat(replaced.report.get("joins")).hasSize(1);
        assertThat(replaced.report.get("stepsLost").intValue()).isZero();
        assertThat(replaced.digest).isEqualTo(run("whole", "--steps=400", "--no-faults").digest);
    }

    @Tag("full")
    @Test
    void whenAllRanksDieTheTrainingGoesOnFromTheCheckpoint() throws Exception {
        Run all = run("all", "--steps=140", "--fault=kill:all@120");

        assertThat(all.report.get("survivors").intValue()).isEqualTo(4);
        assertThat(all.digest).isEqualTo(run("whole", "--steps=140", "--no-faults").digest);
    }
}
