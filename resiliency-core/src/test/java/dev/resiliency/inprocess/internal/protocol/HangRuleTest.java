package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HangRuleTest {
    private static final Standing WAITS = new Standing(Activity.SOCKET, true, List.of("Ring.read(Ring.java:80)"));
    private static final Standing SLEEPS = new Standing(Activity.SLEEP, true, List.of("LogReg.fault(LogReg.java:71)"));
    private static final Standing RUNS =
            new Standing(Activity.NONE, true, List.of("LogReg.fault(LogReg.java:77)")).busy();
    /** As the monitor process sees a rank that is suspended, or starved. */
    private static final Standing SILENT = Standing.of(Activity.SILENT);

    private static Interruption record(int rank, Kind kind, String message) {
        return new Interruption(rank, kind, null, message);
    }

    private static Interruption record(int rank, Kind kind, Standing standing) {
        return new Interruption(rank, kind, null, "stands there", standing);
    }

    private static List<String> judged(Interruption... records) {
        return HangRule.judge(List.of(records)).stream()
                .map(each -> each.kind() + " " + each.rank())
                .toList();
    }

    @Test
    void rankThatWaitsForNobodyIsNamedFirst() {
        assertThat(judged(
                        record(0, Kind.WAITING, WAITS),
                        record(1, Kind.WAITING, WAITS),
                        record(2, Kind.SOFT_TIMEOUT, SLEEPS)))
                .containsExactly("SOFT_TIMEOUT 2", "WAITING 0", "WAITING 1");
    }

    @Test
    void rankThatRunsIsNamedIfTheOthersWaitAndLeftOutIfAnotherOneIsStuck() {
        assertThat(judged(record(0, Kind.WAITING, WAITS), record(1, Kind.SOFT_TIMEOUT, RUNS)))
                .containsExactly("SOFT_TIMEOUT 1", "WAITING 0");
        assertThat(judged(
                        record(0, Kind.WAITING, WAITS),
                        record(1, Kind.SOFT_TIMEOUT, RUNS),
                        record(2, Kind.SOFT_TIMEOUT, SLEEPS)))
                .containsExactly("SOFT_TIMEOUT 2", "WAITING 0");
    }

    @Test
    void nobodyFollowsIfAllWait() {
        assertThat(judged(record(0, Kind.WAITING, WAITS))).containsExactly("SOFT_TIMEOUT 0");
        assertThat(judged(record(1, Kind.WAITING, WAITS), record(0, Kind.WAITING, WAITS)))
                .containsExactly("SOFT_TIMEOUT 0", "SOFT_TIMEOUT 1");
    }

    /** What another one says of a rank, such as that it has made no first step, explains why the others wait. */
    @Test
    void ranksWaitForOneThatIsLostOrHasFailed() {
        assertThat(Stream.of(Kind.EXCEPTION, Kind.TERMINATED, Kind.HARD_TIMEOUT, Kind.OUT_OF_MEMORY, Kind.SOFT_TIMEOUT))
                .allSatisfy(kind -> assertThat(
                                judged(record(0, Kind.WAITING, WAITS), record(1, kind, "it has made no step")))
                        .containsExactly("WAITING 0", kind + " 1"));
    }

    @Test
    void ranksWaitForOneWhoseProcessIsSilent() {
        assertThat(judged(
                        record(0, Kind.WAITING, WAITS),
                        record(1, Kind.SOFT_TIMEOUT, SILENT),
                        record(2, Kind.SOFT_TIMEOUT, RUNS)))
                .containsExactly("SOFT_TIMEOUT 1", "WAITING 0");
    }

    /** On a busy host, the processes of healthy ranks may be silent as well. */
    @Test
    void rankWhoseProcessWasSilentIsNotNamedIfItSaysThatItWaitsOrAnotherOneIsStuck() {
        assertThat(judged(
                        record(0, Kind.WAITING, WAITS),
                        record(1, Kind.SOFT_TIMEOUT, SILENT),
                        record(2, Kind.SOFT_TIMEOUT, SILENT),
                        record(1, Kind.WAITING, WAITS)))
                .containsExactly("SOFT_TIMEOUT 2", "WAITING 0", "WAITING 1");
        assertThat(judged(
                        record(0, Kind.WAITING, WAITS),
                        record(1, Kind.SOFT_TIMEOUT, SILENT),
                        record(2, Kind.SOFT_TIMEOUT, SLEEPS)))
                .containsExactly("SOFT_TIMEOUT 2", "WAITING 0", "WAITING 1");
    }

    @Test
    void rankThatIsEndedAsItDidNotGoOnHasNotFollowed() {
        assertThat(judged(
                        record(0, Kind.WAITING, WAITS),
                        record(1, Kind.WAITING, WAITS),
                        record(1, Kind.HARD_TIMEOUT, "no progress for 90000 ms")))
                .containsExactly("WAITING 0", "SOFT_TIMEOUT 1", "HARD_TIMEOUT 1");
    }

    @Test
    void hangOfARankIsOneWhoeverSaysIt() {
        assertThat(judged(
                        record(1, Kind.SOFT_TIMEOUT, SLEEPS),
                        record(1, Kind.WAITING, WAITS),
                        record(0, Kind.WAITING, WAITS)))
                .containsExactly("SOFT_TIMEOUT 1", "WAITING 0");
        assertThat(judged(
                        record(1, Kind.WAITING, WAITS),
                        record(1, Kind.SOFT_TIMEOUT, SILENT),
                        record(1, Kind.HARD_TIMEOUT, "no progress for 90000 ms")))
                .containsExactly("SOFT_TIMEOUT 1", "HARD_TIMEOUT 1");
    }

    @Test
    void endOfAConnectionExplainsNoHang() {
        assertThat(judged(
                        record(0, Kind.SOFT_TIMEOUT, SLEEPS), record(1, Kind.CONNECTION_LOST, "java.io.EOFException")))
                .containsExactly("SOFT_TIMEOUT 0", "CONNECTION_LOST 1");
    }

    @Test
    void rankThatHasLostItsConnectionIsNoSuspect() {
        assertThat(judged(
                        record(0, Kind.WAITING, WAITS),
                        record(1, Kind.WAITING, WAITS),
                        record(1, Kind.CONNECTION_LOST, "java.io.EOFException")))
                .containsExactly("SOFT_TIMEOUT 0", "WAITING 1", "CONNECTION_LOST 1");
    }

    @Test
    void otherRecordsStayAsTheyAre() {
        List<Interruption> records = List.of(
                record(3, Kind.SCALE_UP, "rank 4 waits"), record(1, Kind.SOFT_TIMEOUT, "made no progress for 60.0 s"));

        assertThat(HangRule.judge(records)).isEqualTo(records);
    }

    @Test
    void kindOfARecordIsWhetherItsRankWaits() {
        assertThat(HangRule.kindOf(WAITS)).isEqualTo(Kind.WAITING);
        assertThat(HangRule.kindOf(SLEEPS)).isEqualTo(Kind.SOFT_TIMEOUT);
        assertThat(HangRule.kindOf(SILENT)).isEqualTo(Kind.SOFT_TIMEOUT);
    }
}
