package dev.resiliency.examples.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.DocumentedProgram;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the document. */
class DocumentedTrainingIT {
    @Test
    void programTrainsOnTwoRanks(@TempDir Path directory) throws Exception {
        try (DocumentedProgram program = DocumentedProgram.of("xgboost.md", directory);
                ProcessJob job = program.job().worldSize(2).start()) {
            for (RankProcess rank : job.ranks()) {
                assertThat(rank.awaitExit()).as(rank::log).isZero();
                assertThat(rank.lines()).as(rank::log).anyMatch(line -> line.matches("the model has \\d{5,} bytes"));
            }
        }
    }
}
