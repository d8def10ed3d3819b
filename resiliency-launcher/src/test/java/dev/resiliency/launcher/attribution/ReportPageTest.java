package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.ended;
import static dev.resiliency.launcher.attribution.Facts.kernel;
import static dev.resiliency.launcher.attribution.Facts.lines;
import static dev.resiliency.launcher.attribution.Facts.ofNode;
import static dev.resiliency.launcher.attribution.Facts.printed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What people read of a report. */
class ReportPageTest {
    /** When the facts have happened: see {@link Facts}. */
    private static final long TIME = 1_700_000_000_000L;

    private static CycleReport report(JobHistory before, Fact... facts) {
        return CycleReport.of(Incident.of(Arrays.asList(facts), Duration.ofMillis(2499)), TIME + 7500, before)
                .numbered(5);
    }

    private static JobHistory before(String... verdicts) {
        return new JobHistory(
                1,
                Arrays.stream(verdicts)
                        .map(verdict -> new JobHistory.Entry(verdict, "n0"))
                        .toList());
    }

    /** Returns the lines with T for each time, which depends on the zone of the host. */
    private static List<String> page(CycleReport report) {
        return ReportPage.of(report).stream()
                .map(line -> line.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}", "T"))
                .toList();
    }

    @Test
    void shortReportHasNoEmptySections() {
        assertThat(page(report(JobHistory.of(1), ended(1, 1, 17, Evidence.NONE))))
                .containsExactly(
                        "report 5: EXITED(17)",
                        "  first        rank 1 on node n0, at T",
                        "  suggestion   restart: the program has ended by itself: what it has printed last may say why",
                        "  evidence     rank 1 exited with code 17",
                        "  the world    was not yet whole when this was written, cycle 3",
                        "  facts        in the order in which the store learned of them",
                        "    1    T  rank 1 on n0 exited with code 17");
    }

    @Test
    void pageHasAllThatIsKnown() {
        Evidence crash = Evidence.of(
                Objects.requireNonNull(Crash.parse("/job/hs_err_pid1001.log", lines("hs_err-native-jdk17.txt"))));
        Evidence found = crash.and(printed(
                        "\u001b[31mred",
                        "Exception in thread \"main\" a.B.CError: no shard",
                        "\tat x.Y.z(Y.java:1)",
                        "\tat x.Y.main(Y.java:2)"))
                .and(kernel(0, "segfault at 0", "traps: java"))
                .and(Evidence.ofHang(List.of(), null, List.of("x.Y.z(Y.java:1)")))
                .and(new Evidence(
                        null, null, "/job/dump", 0, List.of(), List.of(), null, List.of(), List.of(), null, null));

        assertThat(page(report(
                                before("OUT_OF_HEAP(rank 1)"),
                                ended(1, 1, 134, found),
                                ended(2, 0, 143, true, Evidence.NONE),
                                ended(3, 2, 17, Evidence.NONE),
                                ended(4, 3, 18, Evidence.NONE),
                                ofNode(5, Kind.RECOVERED, "n0"),
                                ofNode(6, Kind.RECOVERED, "n1"))
                        .with(new Recommendation("STOP", "bad node", "rules"))))
                .containsExactly(
                        "report 5: OUT_OF_HEAP(rank 1)",
                        "  first        rank 1 on node n0, at T; the same verdict as once before",
                        "  suggestion   restart: if it happens again, give the JVM a larger heap (-Xmx), or find what fills it",
                        "  evidence     rank 1 was ended by SIGABRT",
                        "               a.B.CError: no shard",
                        "               heap dump: /job/dump",
                        "  also failed  rank 2 exited with code 17",
                        "               rank 3 exited with code 18",
                        "  followed     rank 0",
                        "  the world    was whole again after 2s499ms, cycle 3",
                        "  service      STOP: bad node (rules)",
                        "  facts        in the order in which the store learned of them",
                        "    1    T  rank 1 on n0 was ended by SIGABRT",
                        "         crash      SIGSEGV at C  [libshard.so+0x1105]  sum_bucket+0xc /job/hs_err_pid1001.log",
                        "         threw      a.B.CError: no shard",
                        "                    at x.Y.z(Y.java:1)",
                        "                    at x.Y.main(Y.java:2)",
                        "         heap dump  /job/dump",
                        "         kernel     segfault at 0",
                        "         kernel     traps: java",
                        "         stack      x.Y.z(Y.java:1)",
                        "         printed    \\u001b[31mred",
                        "         printed    Exception in thread \"main\" a.B.CError: no shard",
                        "         printed    \\tat x.Y.z(Y.java:1)",
                        "         printed    \\tat x.Y.main(Y.java:2)",
                        "    2    T  rank 0 on n0 was ended by SIGTERM (the agent had asked it to end)",
                        "    3    T  rank 2 on n1 exited with code 17",
                        "    4    T  rank 3 on n1 exited with code 18",
                        "    5    T  node n0 is RECOVERED",
                        "    6    T  node n1 is RECOVERED");
    }

    @Test
    void pageSaysHowOftenTheVerdictWasThereBefore() {
        JobHistory before = before("EXITED(17)", "EXITED(18)", "EXITED(17)");

        assertThat(page(report(before, ended(1, 1, 17, Evidence.NONE))))
                .contains("  first        rank 1 on node n0, at T; the same verdict as 2 times before");
    }

    @Test
    void nodeThatIsNotKnownIsNotNamed() {
        Fact unknown = Facts.recorded(1, 9, "EXCEPTION", "a.b.CError: no shard").at("rank 9, which joined later", "");

        assertThat(page(report(JobHistory.of(1), unknown)))
                .contains(
                        "  first        rank 9, which joined later, at T",
                        "    1    T  rank 9, which joined later a.b.CError: no shard");
        assertThat(report(JobHistory.of(1), unknown).line())
                .startsWith("report 5: USER_EXCEPTION(a.b.CError, rank 9, which joined later), first rank 9");
    }

    @Test
    void ofVeryManyFollowersTheFirstAreNamed() {
        assertThat(followed(16)).endsWith("rank 114, rank 115");
        assertThat(followed(17)).endsWith("rank 114, rank 115 and 1 more");
    }

    private static String followed(int followers) {
        String[] names =
                IntStream.range(100, 100 + followers).mapToObj(i -> "rank " + i).toArray(String[]::new);
        return page(report(JobHistory.of(1), ended(1, 1, 17, Evidence.NONE), ofNode(2, Kind.ENDS, "n0", names)))
                .stream()
                .filter(line -> line.startsWith("  followed"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void lineNamesHowManyFollowed() {
        CycleReport alone = report(JobHistory.of(1), ended(1, 1, 17, Evidence.NONE));
        CycleReport one =
                report(JobHistory.of(1), ended(1, 1, 17, Evidence.NONE), ended(2, 0, 143, true, Evidence.NONE));
        CycleReport two = report(
                JobHistory.of(1),
                ended(1, 1, 17, Evidence.NONE),
                ended(2, 0, 143, true, Evidence.NONE),
                ended(3, 2, 143, true, Evidence.NONE));
        String why = ": restart (the program has ended by itself: what it has printed last may say why)";

        assertThat(alone.line()).isEqualTo("report 5: EXITED(17) on node n0, first rank 1" + why);
        assertThat(one.line()).isEqualTo("report 5: EXITED(17) on node n0, first rank 1; 1 more followed" + why);
        assertThat(two.line()).isEqualTo("report 5: EXITED(17) on node n0, first rank 1; 2 more followed" + why);
    }

    @Test
    void reportOf16384RanksIsShortenedAndCoversAllItsFacts() {
        CycleReport report = report(
                JobHistory.of(1),
                IntStream.rangeClosed(1, 16_384)
                        .mapToObj(i -> ended(i, i, 17, Evidence.NONE))
                        .toArray(Fact[]::new));

        assertThat(report.facts()).hasSize(64);
        assertThat(report.others()).hasSize(64);
        assertThat(report.firstFact()).isOne();
        assertThat(report.lastFact()).isEqualTo(16_384);
    }

    private static Repetition repetition(long from, long to) {
        return Repetition.UNKNOWN.and(new Resumption(Facts.CYCLE, 5, from, to, false));
    }

    @Test
    void pageSaysHowManyStepsAreRepeated() {
        CycleReport whole = report(JobHistory.of(1), ended(1, 1, 17, Evidence.NONE), ofNode(2, Kind.RECOVERED, "n0"));
        CycleReport repeats = whole.with(repetition(1200, 1186), true);

        assertThat(page(repeats))
                .contains(
                        "  the world    was whole again after 2s499ms, cycle 3; 14 steps repeated (from 1200 to 1186)");
        assertThat(repeats.line()).endsWith("; 14 steps repeated (from 1200 to 1186)");
        assertThat(repeats.json()).contains("\"repeated\":14,");
        assertThat(page(whole.with(Repetition.UNKNOWN, false)))
                .contains(
                        "  the world    was whole again after 2s499ms, cycle 3; how many steps are repeated is unknown: the"
                                + " training does not call step");
        assertThat(whole.with(Repetition.UNKNOWN, true).json()).doesNotContain("\"repeated\"");
    }

    @Test
    void worldThatIsNotWholeAgainAndMakesNoStepIsNotAskedForItsSteps() {
        CycleReport broken = report(JobHistory.of(1), ended(1, 1, 17, Evidence.NONE));

        assertThat(page(broken.with(Repetition.UNKNOWN, true)))
                .contains("  the world    was not yet whole when this was written, cycle 3");
        assertThat(page(broken.with(repetition(1200, 1200), true)))
                .contains("  the world    was not yet whole when this was written, cycle 3; no step repeated");
    }
}
