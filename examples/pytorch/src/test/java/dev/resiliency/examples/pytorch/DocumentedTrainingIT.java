package dev.resiliency.examples.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.DocumentedProgram;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the program in docs/pytorch.md, and runs it and {@link TrainWithDjl} as jobs. */
class DocumentedTrainingIT {
    private static final String SMALL_LOSS = "the last loss is (0\\.\\d+(E-\\d+)?|\\d\\.\\d+E-\\d+)";

    @TempDir
    private Path directory;

    @Test
    void programForPyTorchTrainsOnTwoRanks() throws Exception {
        try (DocumentedProgram program = DocumentedProgram.of("pytorch.md", directory);
                ProcessJob job = program.job()
                        .worldSize(2)
                        .environment("GLOO_SOCKET_IFNAME", "lo")
                        .start()) {
            DocumentedProgram.assertRanksPrint(SMALL_LOSS, job.ranks());
        }
    }

    @Test
    void programForDjlSurvivesTheLossOfARank() throws Exception {
        try (ProcessJob job = ProcessJob.builder(TrainWithDjl.class, directory)
                .limit(Duration.ofSeconds(150)) // libtorch alone takes 30 s to load beside several builds
                .worldSize(3)
                .environment("ENGINE_CACHE_DIR", "target/djl") // not that of the user
                .javaOptions("-Dai.djl.offline=true", "-Dsteps=3000") // the fault comes before they are done
                .start()) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine("training with 3 ranks");
            }
            job.rank(1).kill();

            DocumentedProgram.assertRanksPrint(SMALL_LOSS, job.others(1));
            assertThat(job.others(1))
                    .allSatisfy(rank -> assertThat(rank.lines()).contains("training with 2 ranks"));
        }
    }
}
