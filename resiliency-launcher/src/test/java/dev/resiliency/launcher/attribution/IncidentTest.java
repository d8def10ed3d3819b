package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.ended;
import static dev.resiliency.launcher.attribution.Facts.kernel;
import static dev.resiliency.launcher.attribution.Facts.ofNode;
import static dev.resiliency.launcher.attribution.Facts.printed;
import static dev.resiliency.launcher.attribution.Facts.recorded;
import static dev.resiliency.launcher.attribution.Facts.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.launcher.attribution.Fact.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who failed first, who followed, and what belongs to which node. */
class IncidentTest {
    private static final String[] RESET = {
        "Exception in thread \"main\" java.net.SocketException: Connection reset",
        "\tat java.base/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:328)"
    };

    private static Incident incident(Fact... facts) {
        return Incident.of(List.of(facts));
    }

    @Test
    void thoseWhoFailedLaterHaveFollowedIfTheyOnlyLostTheirPeer() {
        Incident incident = Incident.of(List.of(
                ended(1, 2, 1, printed(RESET)),
                ended(2, 0, 134, Evidence.NONE),
                ended(3, 1, 17, Evidence.NONE),
                ofNode(4, Kind.ENDS, "n1", "rank 3")));

        assertThat(incident.first().who()).isEqualTo("rank 0");
        assertThat(incident.followers()).containsExactly("rank 2", "rank 3");
        assertThat(incident.others()).extracting(Casualty::who).containsExactly("rank 1");
    }

    /** As when a rank exits with 130: its agent ends the others, and starts none of them again. */
    @Test
    void thoseWhoWereEndedWithTheJobHaveFollowed() {
        Incident incident = Incident.of(List.of(
                recorded(1, 1, "TERMINATED_BY_RANK", "dev.resiliency.inprocess.RestartAbort: no use"),
                ended(2, 1, 130, Evidence.NONE),
                recorded(3, 0, "TERMINATED", "its session ended without a goodbye"),
                ofNode(4, Kind.ENDS, "n0", "rank 0"),
                ofNode(5, Kind.LEFT, "n0"),
                recorded(6, 2, "TERMINATED", "its session ended without a goodbye"),
                ofNode(7, Kind.ENDS, "n1", "rank 2", "rank 3")));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.followers()).containsExactly("rank 0", "rank 2", "rank 3");
        assertThat(incident.others()).isEmpty();
        assertThat(incident.isWholeAgain()).isFalse();
    }

    @Test
    void orderIsThatOfTheStoreAndNotOfClocks() {
        Fact early = ended(2, 0, 17, Evidence.NONE);
        Fact late = ended(1, 1, 18, Evidence.NONE);

        assertThat(Incident.of(List.of(early, late)).first().who()).isEqualTo("rank 1");
    }

    /** A spare that has not taken part has no number in the job. */
    private static Fact spareEnded(long number, String node) {
        return new Fact(
                number,
                Kind.PROCESS_ENDED,
                Facts.CYCLE,
                0,
                node,
                "spare 1.2",
                Fact.NONE,
                Fact.NONE,
                1009,
                "was ended by SIGKILL",
                null,
                "SIGKILL",
                false,
                null,
                null,
                List.of(),
                Evidence.NONE,
                null);
    }

    @Test
    void processWithANumberIsTheSameWhoeverReportsItAndOneWithoutIsAnother() {
        Fact wrapper = recorded(1, 1, "EXCEPTION", "NaN").at("rank 1", "");
        Fact spare = spareEnded(3, "n1");

        Incident incident = incident(
                wrapper,
                ended(2, 1, 17, Evidence.NONE),
                spare,
                spareEnded(4, "n2"),
                spareEnded(5, "n1"),
                ofNode(6, Kind.OVERDUE, "n1"));

        assertThat(incident.casualties())
                .extracting(casualty -> casualty.who() + " of " + casualty.node())
                .containsExactly("rank 1 of n0", "spare 1.2 of n1", "spare 1.2 of n2", "node n1 of n1");
    }

    @Test
    void recordOfAWrapperIsTheFirstOfItsKind() {
        Casualty casualty = new Casualty(List.of(
                recorded(1, 1, "TERMINATED", "its session ended without a goodbye"),
                recorded(2, 1, "SOFT_TIMEOUT", "it has not pinged"),
                recorded(3, 1, "HARD_TIMEOUT", "it is stuck"),
                ended(4, 1, 143, Evidence.NONE)));

        assertThat(casualty.recorded(Set.of("SOFT_TIMEOUT", "HARD_TIMEOUT"))).isEqualTo("it has not pinged");
        assertThat(casualty.recorded(Set.of("EXCEPTION"))).isEmpty();
    }

    @Test
    void processThatWasMissedBesidesALostNodeHasFollowed() {
        Incident incident = incident(
                recorded(1, 2, "TERMINATED", "its session ended without a goodbye"),
                ofNode(2, Kind.NODE_LOST, "n1"),
                ended(3, 0, 17, Evidence.NONE));

        assertThat(incident.first().who()).isEqualTo("node n1");
        assertThat(incident.followers()).containsExactly("rank 2");
        assertThat(incident.others()).extracting(Casualty::who).containsExactly("rank 0");
        assertThat(incident.nodesLost()).isOne();
    }

    @Test
    void processThatOnlyTheOthersMissFailedFirstIfNothingElseExplainsIt() {
        Incident incident = incident(
                recorded(1, 2, "TERMINATED", "its session ended without a goodbye"), ended(2, 0, 17, Evidence.NONE));

        assertThat(incident.first().who()).isEqualTo("rank 2");
        assertThat(incident.followers()).isEmpty();
        assertThat(incident.others()).extracting(Casualty::who).containsExactly("rank 0");
    }

    @Test
    void processThatWasAskedToEndHasFollowed() {
        Incident incident = incident(ended(1, 0, 143, true, Evidence.NONE), ended(2, 1, 17, Evidence.NONE));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.followers()).containsExactly("rank 0");
    }

    @Test
    void whoHangsWhileAnotherRunsOutOfMemoryHasFollowed() {
        Fact hangs = recorded(1, 0, "SOFT_TIMEOUT", "it has not pinged");

        Incident heap = incident(hangs, recorded(2, 1, "OUT_OF_MEMORY", "threw 1 OutOfMemoryError"));
        Incident kernel = incident(hangs, ended(2, 1, 137, kernel(1)));
        Incident other = incident(hangs, ended(2, 1, 137, Evidence.NONE));

        assertThat(heap.first().who()).isEqualTo("rank 1");
        assertThat(heap.followers()).containsExactly("rank 0");
        assertThat(kernel.first().who()).isEqualTo("rank 1");
        assertThat(kernel.followers()).containsExactly("rank 0");
        assertThat(other.first().who()).isEqualTo("rank 0");
        assertThat(other.followers()).isEmpty();
    }

    @Test
    void firstOfThoseThatAllFollowedStandsForThem() {
        Incident incident = incident(ended(1, 1, 1, printed(RESET)), ended(2, 0, 1, printed(RESET)));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.followers()).containsExactly("rank 0");
    }

    @Test
    void lossOfAPeerIsNoReasonForASignalOrAHang() {
        Fact killed = ended(1, 1, 137, printed(RESET));
        Fact overdue = ofNode(2, Kind.OVERDUE, "n1");

        assertThat(incident(killed, ended(3, 0, 17, Evidence.NONE)).first().who())
                .isEqualTo("rank 1");
        assertThat(incident(overdue, ended(3, 0, 17, Evidence.NONE)).first().who())
                .isEqualTo("node n1");
    }

    @Test
    void evidenceIsThatOfTheNode() {
        Incident incident = incident(
                ended(1, 0, 137, kernel(1, "a", "b")),
                ended(2, 1, 137, kernel(2, "b")),
                ended(3, 2, 137, kernel(4, "c")),
                ended(4, 3, 137, Evidence.NONE));

        assertThat(incident.kernelOf("n0")).containsExactly("a", "b");
        assertThat(incident.kernelOf("n1")).containsExactly("c");
        assertThat(incident.kernelOf("n2")).isEmpty();
        assertThat(incident.oomKillsOf("n0")).isEqualTo(3);
        assertThat(incident.oomKillsOf("n1")).isEqualTo(4);
        assertThat(incident.oomKillsOf("n2")).isZero();
    }

    @Test
    void evidenceAboutAProcessIsThatOfAllItsFacts() {
        Evidence hang = Evidence.ofHang(List.of("step"), 41L, List.of("a.B.c(B.java:1)"));
        Casualty casualty = new Casualty(List.of(
                ended(1, 1, 137, kernel(1, "a")),
                ended(2, 1, 137, hang.and(kernel(2, "b"))),
                ended(3, 1, 137, Evidence.ofHang(List.of("epoch"), 7L, List.of("d.E.f(E.java:1)")))));

        assertThat(casualty.evidence())
                .returns(3L, Evidence::oomKills)
                .returns(List.of("a"), Evidence::kernel)
                .returns(List.of("step"), Evidence::sections)
                .returns(41L, Evidence::step)
                .returns(List.of("a.B.c(B.java:1)"), Evidence::stack);
    }

    @Test
    void worldIsWholeAgainWhenEachNodeHasRecoveredSinceItLostAProcess() {
        Fact asked = ended(1, 4, 143, true, Evidence.NONE);
        Fact one = ended(2, 0, 17, Evidence.NONE);
        Fact other = ended(4, 2, 17, Evidence.NONE);

        assertThat(incident(asked, one, ofNode(3, Kind.RECOVERED, "n0")).isWholeAgain())
                .isTrue();
        assertThat(incident(one, ofNode(1, Kind.RECOVERED, "n0")).isWholeAgain())
                .isFalse();
        assertThat(incident(one, ofNode(3, Kind.RECOVERED, "n0"), other).isWholeAgain())
                .isFalse();
        assertThat(incident(one, ofNode(3, Kind.RECOVERED, "n0"), other, ofNode(5, Kind.RECOVERED, "n0"))
                        .isWholeAgain())
                .isFalse();
        assertThat(incident(one, ofNode(3, Kind.RECOVERED, "n0"), other, ofNode(5, Kind.RECOVERED, "n1"))
                        .isWholeAgain())
                .isTrue();
        assertThat(incident(one, ofNode(3, Kind.LEFT, "n0")).isWholeAgain()).isFalse();
    }

    @Test
    void worldIsNotWholeWhileANodeIsLostOrEndsItsProcessesOrARankIsOnlyMissed() {
        Fact lost = ofNode(2, Kind.NODE_LOST, "n1");
        Fact ends = ofNode(3, Kind.ENDS, "n0", "rank 0", "rank 1");
        Fact missed = recorded(1, 1, "TERMINATED", "its session ended without a goodbye");

        assertThat(incident(lost).isWholeAgain()).isFalse();
        assertThat(incident(lost, ofNode(3, Kind.RECOVERED, "n1")).isWholeAgain())
                .as("it has come back")
                .isTrue();
        assertThat(incident(lost, ofNode(3, Kind.RECOVERED, "n7")).isWholeAgain())
                .as("another one has come instead")
                .isTrue();
        assertThat(incident(lost, ends, ofNode(4, Kind.RECOVERED, "n0")).isWholeAgain())
                .as("the other one only starts again")
                .isFalse();
        assertThat(incident(lost, ends, ofNode(4, Kind.RECOVERED, "n1")).isWholeAgain())
                .as("the other one does not run yet")
                .isFalse();
        assertThat(incident(missed).isWholeAgain()).isFalse();
    }

    @Test
    void endsThatWereAskedForAreNoFaultWhateverTheRanksThrowAndTheOthersLose() {
        Fact drained = ofNode(1, Kind.ENDS, "n1", "rank 2", "rank 3");
        Fact thrown = recorded(2, 2, "EXCEPTION", "java.lang.IllegalStateException: the pool was shut down");
        Fact missed = recorded(3, 3, "TERMINATED", "its session ended without a goodbye");
        Fact lostPeer = recorded(4, 0, "CONNECTION_LOST", "java.io.EOFException");

        assertThat(incident(drained, thrown, missed, lostPeer).isIntended()).isTrue();
        assertThat(incident(drained, thrown, missed, lostPeer, ended(5, 1, 137, Evidence.NONE)))
                .satisfies(incident -> assertThat(incident.isIntended()).isFalse())
                .satisfies(incident -> assertThat(incident.first().who()).isEqualTo("rank 1"))
                .satisfies(incident -> assertThat(incident.followers()).doesNotContain("rank 9"));
        assertThat(incident(lostPeer, recorded(5, 1, "CONNECTION_LOST", "java.io.EOFException"))
                        .isIntended())
                .as("nobody has asked for it")
                .isFalse();
        assertThat(incident(recorded(1, 2, "EXCEPTION", "a.b.CError"), ofNode(2, Kind.ENDS, "n1", "rank 2"))
                        .isIntended())
                .as("it had failed before")
                .isFalse();
        assertThat(incident(
                                ofNode(1, Kind.ENDS, "n1", "rank 2"),
                                ofNode(2, Kind.RECOVERED, "n1"),
                                recorded(3, 2, "EXCEPTION", "a.b.CError"))
                        .isIntended())
                .as("that is its next process")
                .isFalse();
    }

    private static Fact hang(long number, int rank, String... frames) {
        return recorded(
                number,
                rank,
                "SOFT_TIMEOUT",
                "made no progress for 4.0 s",
                new Standing(Standing.activityOf(List.of(frames)), true, List.of(frames)));
    }

    private static final String[] IN_SOCKET = {
        "java.base/sun.nio.ch.Net.poll(Native Method)",
        "train.Ring.receive(Ring.java:7)",
        "train.Main.step(Main.java:1)"
    };
    private static final String[] ON_LOCK = {
        "jdk.internal.misc.Unsafe.park(Native Method)",
        "train.Loader.next(Loader.java:7)",
        "train.Main.step(Main.java:1)"
    };
    private static final String[] IN_LOOP = {"train.Main.count(Main.java:9)", "train.Main.step(Main.java:1)"};

    @Test
    void rankThatWaitsForNobodyIsSuspectedAlthoughOthersWereOverTheLimitFirst() {
        for (Fact suspect : List.of(
                hang(2, 1, IN_LOOP),
                hang(2, 1, ON_LOCK),
                hang(2, 1),
                silent(2, 1),
                recorded(2, 1, "SOFT_TIMEOUT", "it has made no step in the first 300 s of the iteration"),
                recorded(
                        2,
                        1,
                        "SOFT_TIMEOUT",
                        "made no progress for 4.0 s, is deadlocked: it waits for a, which thread b holds, 7 pings",
                        new Standing(Activity.DEADLOCK, true, List.of("train.Main.step(Main.java:1)"))))) {
            Incident incident = incident(hang(1, 0, IN_SOCKET), suspect, hang(3, 2, IN_SOCKET));

            assertThat(incident.first().who()).as(suspect.text()).isEqualTo("rank 1");
            assertThat(incident.followers()).containsExactly("rank 0", "rank 2");
            assertThat(incident.tied()).isEmpty();
            assertThat(incident.others()).isEmpty();
        }
    }

    @Test
    void rankThatStandsElsewhereThanMostIsSuspected() {
        Fact elsewhere = hang(2, 1, IN_SOCKET[0], "train.Loader.fetch(Loader.java:3)");

        Incident incident = incident(hang(1, 0, IN_SOCKET), elsewhere, hang(3, 2, IN_SOCKET));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.tied()).isEmpty();
    }

    /** On a busy host, the process of a healthy rank may be silent as well. */
    @Test
    void rankWhoseProcessWasSilentHasFollowedIfAnotherOneIsStuckOrItSaysThatItWaits() {
        Incident oneIsStuck = incident(silent(1, 0), hang(2, 1, IN_LOOP));
        Incident itWaits = incident(silent(1, 0), hang(2, 1, ON_LOCK), hang(3, 0, IN_SOCKET));

        assertThat(oneIsStuck.first().who()).isEqualTo("rank 1");
        assertThat(oneIsStuck.followers()).containsExactly("rank 0");
        assertThat(itWaits.first().who()).isEqualTo("rank 1");
        assertThat(itWaits.followers()).containsExactly("rank 0");
    }

    @Test
    void rankThatIsEndedAsItCouldNotBeStoppedIsSuspectedOfThoseThatWaitAlike() {
        Fact elsewhere = hang(2, 1, IN_SOCKET[0], "train.Loader.fetch(Loader.java:3)");
        Fact lost = recorded(3, 2, "CONNECTION_LOST", "java.io.EOFException");
        Fact ended = recorded(4, 1, "HARD_TIMEOUT", "no progress for 8000 ms; process 1001 is terminated");

        Incident alike = incident(hang(1, 0, IN_SOCKET), elsewhere, lost, ended);
        Incident oneIsStuck = incident(hang(1, 0, IN_LOOP), elsewhere, lost, ended);

        assertThat(alike.first().who()).isEqualTo("rank 1");
        assertThat(alike.tied()).isEmpty();
        assertThat(oneIsStuck.first().who()).isEqualTo("rank 0");
    }

    @Test
    void rankThatIsEndedAsItsMemoryHasRunOutKeepsThoseThatHangWaiting() {
        Incident incident = incident(
                hang(1, 0, IN_LOOP),
                recorded(
                        2,
                        1,
                        "HARD_TIMEOUT",
                        "no progress for 8000 ms; a thread has died as memory ran out",
                        Standing.of(Activity.OUT_OF_MEMORY)));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.followers()).containsExactly("rank 0");
        assertThat(Rules.judge(incident).verdict()).isEqualTo("OUT_OF_HEAP(rank 1)");
    }

    /** It is no suspect, but where it stood before says where most have waited. */
    @Test
    void rankThatLostItsConnectionAsTheOthersStoppedTellsWhereMostStood() {
        Fact elsewhere = hang(2, 1, IN_SOCKET[0], "train.Loader.fetch(Loader.java:3)");

        Incident incident = incident(
                hang(1, 0, IN_SOCKET),
                elsewhere,
                recorded(3, 2, "CONNECTION_LOST", "java.io.EOFException"),
                hang(4, 2, IN_SOCKET));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.followers()).containsExactly("rank 0", "rank 2");
        assertThat(incident.tied()).isEmpty();
    }

    @Test
    void ranksThatHangAlikeAreATie() {
        Incident incident = incident(hang(1, 1, IN_SOCKET), hang(2, 0, IN_SOCKET));
        CycleReport report = CycleReport.of(incident, 0, JobHistory.of(1)).numbered(1);

        assertThat(incident.tied()).extracting(Casualty::who).containsExactly("rank 1", "rank 0");
        assertThat(incident.followers()).isEmpty();
        assertThat(incident.others()).isEmpty();
        assertThat(report.line())
                .startsWith(
                        "report 1: HANG_IN(train.Ring.receive) on node n0, first rank 1 or rank 0: restart (none of 2 ranks"
                                + " stands out, each waits in a socket");
    }

    @Test
    void rankThatHangsInItsCleanupHasThrownAndThoseThatWaitForItHaveFollowed() {
        Incident incident = incident(
                hang(1, 0, ON_LOCK),
                hang(2, 1, ON_LOCK),
                recorded(
                        3,
                        1,
                        "EXCEPTION",
                        "java.lang.IllegalStateException: loss is NaN, and its cleanup had not ended"));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.followers()).containsExactly("rank 0");
        assertThat(Rules.judge(incident).verdict())
                .isEqualTo("USER_EXCEPTION(java.lang.IllegalStateException, rank 1)");
    }

    @Test
    void rankThatWaitsForOneThatFailsOtherwiseHasFollowed() {
        Incident incident =
                incident(hang(1, 0, IN_SOCKET), recorded(2, 1, "TERMINATED", "its session ended without a goodbye"));

        assertThat(incident.first().who()).isEqualTo("rank 1");
        assertThat(incident.followers()).containsExactly("rank 0");
    }

    @Test
    void suspendedProcessIsNamedBeforeThoseThatAreOverdueWithIt() {
        Fact waits = ended(
                1,
                0,
                143,
                printed("\"main\" #1 prio=5", "   java.lang.Thread.State: RUNNABLE", "\tat train.Main.spin(M.java:1)"));
        Fact overdue = new Fact(
                2,
                Kind.OVERDUE,
                Facts.CYCLE,
                0,
                "n1",
                "rank 2",
                2,
                2,
                1002,
                "is suspended (state T); no heartbeat for 5 s",
                null,
                null,
                false,
                null,
                Standing.of(Activity.SUSPENDED),
                List.of(),
                Evidence.NONE,
                null);
        Fact alsoOverdue = new Fact(
                3,
                Kind.OVERDUE,
                Facts.CYCLE,
                0,
                "n0",
                "rank 0",
                0,
                0,
                1000,
                "no heartbeat for 5 s",
                null,
                null,
                false,
                null,
                null,
                List.of(),
                Evidence.NONE,
                null);

        Incident incident = incident(waits, overdue, alsoOverdue);

        assertThat(incident.first().who()).isEqualTo("rank 2");
        assertThat(incident.followers()).containsExactly("rank 0");
    }

    @Test
    void trainingGoesOnAfterTheFirstFault() {
        Fact before = Facts.resumed(1, 4, 900, 890);
        Fact failed = ended(2, 1, 17, Evidence.NONE);

        assertThat(incident(before, failed).repetition()).isEqualTo(Repetition.UNKNOWN);
        assertThat(incident(
                                before,
                                failed,
                                Facts.resumed(3, 5, 1199, 1186),
                                Facts.resumed(4, 6, 1188, 1186),
                                Facts.resumed(5, 5, 1200, 1186))
                        .repetition())
                .isEqualTo(new Repetition(List.of(
                        new Resumption(Facts.CYCLE, 5, 1200, 1186, false),
                        new Resumption(Facts.CYCLE, 6, 1188, 1186, false))));
    }
}
