package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.it.LauncherDocument.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the pages on the launcher as they are printed there; an {@code srun} of its own starts two tasks. */
class DocumentedCommandsIT {
    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init") // prepare() does
    private LauncherDocument document;

    @BeforeEach
    void prepare() throws Exception {
        document = new LauncherDocument(directory);
        document.writeProgram("srun", """
                shift
                for task in 0 1; do SLURM_PROCID=$task SLURM_LOCALID=$task SLURM_NTASKS=2 "$@" & done
                wait
                """);
    }

    @AfterEach
    void endAll() {
        document.close();
    }

    private void startStore() throws IOException {
        document.start(document.match("supervise.md", "(?m)^(resiliency store .*)$"))
                .awaitOutput("Store listens");
    }

    @Tag("full")
    @Test
    void killedProgramComesBack() throws Exception {
        startStore();
        List<String> ranks = document.matches("supervise.md", "(?m)^(RANK=.* resiliency supervise .*)$");
        assertThat(ranks).hasSize(2);
        Command zero = document.start(ranks.get(0));
        Command one = document.start(ranks.get(1));
        zero.awaitOutput("FOUNDED in a world of 2");

        one.killProgram();
        zero.awaitOutput("SURVIVED in a world of 1");
        one.awaitOutput("JOINED in a world of 2");
        assertThat(one.output())
                .contains("[supervisor of rank 1]", "was ended by SIGKILL", "restart 1 of 10 within 1h");

        assertThat(zero.awaitExit()).as(zero.output()).isZero();
        assertThat(one.awaitExit()).as(one.output()).isZero();
        assertThat(one.output()).contains("completed; exit code 0");
    }

    @Tag("full")
    @Test
    void agentsOfOneNodeAndOfTwoRunTheirRanks() throws Exception {
        List<String> commands = document.matches("launcher.md", "(?m)^(resiliency run .*)$");
        assertThat(commands).hasSize(3);
        Command alone = document.start(commands.get(0));
        alone.awaitOutput("[rank 1] FOUNDED in a world of 2");
        alone.killProgram();
        alone.awaitOutput("restart 2 of 10 within 1h");
        assertThat(alone.awaitExit()).as(alone.output()).isZero();

        Command zero = document.start(commands.get(1));
        Command one = document.start(commands.get(2));
        assertThat(zero.awaitExit()).as(zero.output()).isZero();
        assertThat(one.awaitExit()).as(one.output()).isZero();
        assertThat(one.output()).contains("[rank 3] FOUNDED in a world of 4", "[rank 3] completed");
    }

    @Tag("full")
    @Test
    void recipesForSchedulersRunTheirRanks() throws Exception {
        startStore();
        String variables = "export MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 WORLD_SIZE=2 RESILIENCY_JOB_ID=";
        Command slurm =
                document.start(variables + "slurm; " + document.match("schedulers.md", "(?m)^(srun .* supervise .*)$"));
        String array = document.match("schedulers.md", "(?m)^command: \\[(.*)]$");
        String command = array.replaceAll("\", \"", "\" \"").replace("$", "\\$").replace("/train.jar", "train.jar");
        Command zero = document.start(variables + "kubernetes JOB_COMPLETION_INDEX=0; " + command);
        Command one = document.start(variables + "kubernetes JOB_COMPLETION_INDEX=1; " + command);

        assertThat(slurm.awaitExit()).as(slurm.output()).isZero();
        assertThat(slurm.output()).contains("FOUNDED in a world of 2", "[supervisor of rank 1]");
        assertThat(zero.awaitExit()).as(zero.output()).isZero();
        assertThat(one.awaitExit()).as(one.output()).isZero();
        assertThat(one.output()).contains("FOUNDED in a world of 2");
    }

    @Test
    void otherCommandsDoWhatTheySay() throws Exception {
        List<String> commands =
                new ArrayList<>(document.matches("supervise.md", "(?m)^((?:resiliency supervise|source) .*)$"));
        commands.addAll(document.matches("node-health.md", "(?m)^(resiliency doctor.*)$"));
        assertThat(commands).hasSize(5);
        for (String command : commands) {
            Command run = document.start(command);
            assertThat(run.awaitExit()).as(command + "\n" + run.output()).isZero();
        }
        Command bare = document.start("resiliency --version");
        assertThat(bare.awaitExit()).isZero();
        assertThat(bare.output()).containsPattern("^resiliency \\d+\\.\\d+");
    }

    @Test
    void scriptSaysWhatToDoIfTheJarIsMissing() throws Exception {
        Command run = document.start("RESILIENCY_LAUNCHER_JAR=/nowhere/resiliency-launcher.jar resiliency --version");

        assertThat(run.awaitExit()).isEqualTo(1);
        assertThat(run.output())
                .contains("/nowhere/resiliency-launcher.jar is missing: build it with", "mvn -B package");
    }
}
