package dev.resiliency.examples.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import java.io.IOException;
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

    private Script script(String name) throws IOException {
        return new Script(Files.createDirectory(directory.resolve(name)), "xgboost.sh", "--plain");
    }

    private static String digest(Script script) {
        Matcher digest = DIGEST.matcher(script.output());
        assertThat(digest.find()).as(script::output).isTrue();
        return digest.group(1);
    }

    /** Requires of a demo that has ended that its model is that of one without faults. */
    private void assertModelIsThatOfARunWithout(Script broken, int steps) throws Exception {
        Script whole = script("whole");
        JsonNode report = whole.demo("--no-faults", "--steps=" + steps);
        assertThat(report.get("survivors").intValue()).isEqualTo(4);
        assertThat(digest(broken)).isEqualTo(digest(whole));
    }

    @Test
    void exceptionAndKillAndSuspensionAreSurvivedWithTheModelOfARunWithout() throws Exception {
        Script broken = script("broken");
        broken.demoOfThreeFaults();

        assertModelIsThatOfARunWithout(broken, 100);
    }

    @Tag("full")
    @Test
    void ranksThatAreLostComeBackAndReceiveTheModel() throws Exception {
        Script replaced = script("replaced");
        replaced.demoOfAReplacement("--steps=400", "--replace", "--fault=kill:1@40");

        assertModelIsThatOfARunWithout(replaced, 400);
    }

    @Tag("full")
    @Test
    void whenAllRanksDieTheTrainingGoesOnFromTheCheckpoint() throws Exception {
        Script all = script("all");
        assertThat(all.demo("--steps=140", "--fault=kill:all@120")
                        .get("survivors")
                        .intValue())
                .isEqualTo(4);

        assertModelIsThatOfARunWithout(all, 140);
    }
}
