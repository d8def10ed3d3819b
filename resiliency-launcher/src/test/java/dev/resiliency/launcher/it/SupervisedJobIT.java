package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two ranks of a job, each under a supervisor, with {@code resiliency store} beside them. */
class SupervisedJobIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void killedRanksComeBackOneByOneAndAllAtOnce() throws Exception {
        Path end = directory.resolve("end");
        try (ProcessJob store = ProcessJob.builder(
                                ResiliencyCommand.class, Files.createDirectory(directory.resolve("store")))
                        .javaOptions("-Xmx256m")
                        .arguments("store", "--port", "0", "--max-total-bytes", "100000000")
                        .start();
                ProcessJob job = job(portOf(store), end)) {
            RankProcess zero = job.rank(0);
            RankProcess one = job.rank(1);
            zero.awaitLine("FOUNDED in a world of 2, generation 0, iteration 0");
            one.awaitLine("FOUNDED in a world of 2, generation 0, iteration 0");

            programOf(one).destroyForcibly();
            zero.awaitLine("SURVIVED in a world of 2, generation 0, iteration 2");
            one.awaitLine("JOINED in a world of 2, generation 0, iteration 2");
            assertThat(zero.lines()).contains("SURVIVED in a world of 1, generation 0, iteration 1");
            assertThat(one.log()).contains("was ended by SIGKILL", "restart 1 of 3");

            List.of(programOf(zero), programOf(one)).forEach(ProcessHandle::destroyForcibly);
            zero.awaitLine("FOUNDED in a world of 2, generation 1, iteration 100");
            one.awaitLine("FOUNDED in a world of 2, generation 1, iteration 100");

            Files.createFile(end);
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(one.log()).contains("exited with code 0", "completed; exit code 0");
        }
    }

    private ProcessJob job(int port, Path end) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TrainingProgram.class.getName(),
                end.toString()));
        return Supervised.builder(directory)
                .worldSize(2)
                .environment("MASTER_PORT", Integer.toString(port))
                .environment("RESILIENCY_JOB_ID", "supervised")
                .arguments(Supervised.arguments(directory, command))
                .start();
    }

    private static int portOf(ProcessJob store) {
        String listens = "Store listens on 127.0.0.1:";
        await().atMost(Patience.stretch(LIMIT))
                .until(() -> store.rank(0).lines().stream().anyMatch(line -> line.startsWith(listens)));
        return store.rank(0).lines().stream()
                .filter(line -> line.startsWith(listens))
                .map(line -> Integer.parseInt(line.substring(listens.length())))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the process that the supervisor runs; the shells through which it starts have become it. */
    private static ProcessHandle programOf(RankProcess supervisor) {
        return ProcessHandle.of(supervisor.pid())
                .flatMap(process -> process.children().findFirst())
                .orElseThrow();
    }
}
