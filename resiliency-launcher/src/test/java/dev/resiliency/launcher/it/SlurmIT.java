package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submits the batch script of docs/schedulers.md to a Slurm of two nodes, and kills one of its ranks. */
@Tag("full")
class SlurmIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    private Path directory;

    @Test
    void killedRankOfABatchJobComesBack() throws Exception {
        assumeTrue(
                SlurmCluster.isPossible(),
                "NOT CHECKED: the recipe for Slurm, since there is no Slurm or this user is not root (Debian: apt-get"
                        + " install slurmctld slurmd slurm-client munge)");
        try (SlurmCluster cluster = new SlurmCluster(Files.createDirectory(directory.resolve("slurm")));
                LauncherDocument document = new LauncherDocument(directory)) {
            document.set("SLURM_CONF", cluster.configuration().toString());
            document.replace("$(scontrol show hostnames | head -n 1)", "127.0.0.1");
            document.replace("29400", Integer.toString(ProcessJob.freePort()));
            // Both nodes are this host.
            document.replace("--node-name", "--local-addr 127.0.0.$((SLURM_NODEID + 1)) --node-name");
            String script = document.match("schedulers.md", "(?ms)^(#!/bin/bash\n#SBATCH.*?)^```$");
            Files.writeString(directory.resolve("job.sh"), document.replaced(script));
            Path output = directory.resolve("slurm-1.out");

            document.start(document.match("schedulers.md", "(?m)^(sbatch .*)$")).awaitOutput("Submitted batch job 1");
            awaitOutput(output, "[rank 3] FOUNDED in a world of 4");
            programs().get(1).destroyForcibly();
            awaitOutput(output, "JOINED in a world of 4");
            cluster.output("scancel", "--signal=USR1", "1"); // as --signal does; the ranks do not handle it, and go on
            awaitOutput(output, "received SIGUSR1");

            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() -> assertThat(cluster.output("scontrol", "show", "job", "1"))
                            .as(() -> read(output))
                            .contains("JobState=COMPLETED"));
            assertThat(read(output)).contains("was ended by SIGKILL", "restart 1 of 10 within 1h");
        }
    }

    private static void awaitOutput(Path file, String text) {
        await().atMost(Patience.stretch(LIMIT))
                .untilAsserted(() -> assertThat(read(file)).contains(text));
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the processes of the ranks, which Slurm has started and not this process. */
    private List<ProcessHandle> programs() {
        return ProcessHandle.allProcesses()
                .filter(each -> {
                    String line = each.info().commandLine().orElse("");
                    return line.contains(directory.toString()) && line.endsWith(" Train");
                })
                .toList();
    }
}
