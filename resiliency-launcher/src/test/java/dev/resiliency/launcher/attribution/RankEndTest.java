package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.JobPart;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankEndTest {
    @ParameterizedTest
    @CsvSource({
        "0, NONE, COMPLETED, false, false, exited with code 0",
        "0, COMPLETED, COMPLETED, false, true, exited with code 0",
        "0, LEFT, COMPLETED, true, false, 'exited with code 0, as it has left the job'",
        "0, MEMBER, FAILED, false, false, 'exited with code 0, although its job has not completed'",
        "17, NONE, FAILED, false, false, exited with code 17",
        "17, COMPLETED, FAILED, false, false, exited with code 17",
        "17, LEFT, FAILED, false, false, exited with code 17",
        "17, MEMBER, FAILED, false, false, exited with code 17",
        "93, LEFT, ABORT, false, false, exited with code 93"
    })
    void codeOfZeroMeansWhatThePartOfTheRankSays(
            int code, JobPart part, Verdict verdict, boolean hasLeft, boolean hasCompleted, String description) {
        RankEnd end = new RankEnd(ExitReason.of(code), part);

        assertThat(end)
                .returns(verdict, RankEnd::verdict)
                .returns(hasLeft, RankEnd::hasLeft)
                .returns(hasCompleted, RankEnd::hasCompletedJob)
                .returns(description, RankEnd::description);
    }
}
