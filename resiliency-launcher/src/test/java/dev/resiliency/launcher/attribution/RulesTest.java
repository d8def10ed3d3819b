package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.ended;
import static dev.resiliency.launcher.attribution.Facts.kernel;
import static dev.resiliency.launcher.attribution.Facts.lines;
import static dev.resiliency.launcher.attribution.Facts.ofNode;
import static dev.resiliency.launcher.attribution.Facts.printed;
import static dev.resiliency.launcher.attribution.Facts.recorded;
import static dev.resiliency.launcher.attribution.Facts.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Incidents whose facts were recorded: what JVMs, kernels and wrappers really write. */
class RulesTest {
    private static final String OOM_KILL =
            "Memory cgroup out of memory: Killed process 1001 (java) total-vm:4471196kB, anon-rss:520112kB,"
                    + " file-rss:26132kB, shmem-rss:0kB, UID:0 pgtables:1304kB oom_score_adj:0";
    private static final String FALLEN_OFF =
            "NVRM: Xid (PCI:0000:3b:00): 79, pid=1001, name=java, GPU has fallen off the bus.";
    private static final String DOUBLE_BIT =
            "NVRM: Xid (PCI:0000:3b:00): 48, pid='<unknown>', name=<unknown>, DBE (double bit error) ECC Error";
    private static final String PAGE_FAULT =
            "NVRM: Xid (PCI:0000:3b:00): 31, pid=1001, name=java, Ch 00000008, intr 00000000. MMU Fault: ENGINE"
                    + " GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f2f_58000000.";

    private static final Standing STUCK = new Standing(
            Activity.SLEEP,
            true,
            List.of(
                    "java.lang.Thread.sleep(Native Method)",
                    "dev.resiliency.inprocess.internal.worker.Worker.run(Worker.java:80)",
                    "train.Reducer.allReduce(Reducer.java:41)",
                    "train.Main.step(Main.java:12)"));

    private static final String[] EXCEPTION = {
        "step 11",
        "Exception in thread \"main\" java.lang.IllegalStateException: step 12 failed",
        "\tat Crash.main(Crash.java:6)",
        "Caused by: java.io.IOException: no route to shard 7",
        "\t... 1 more"
    };
    private static final String[] NO_MEMORY = {
        "# There is insufficient memory for the Java Runtime Environment to continue.",
        "# Native memory allocation (mmap) failed to map 16384 bytes. Error detail: committing reserved memory.",
        "# An error report file with more information is saved as:",
        "# /job/hs_err_pid1001.log"
    };
    private static final String[] RESET = {
        "Exception in thread \"main\" java.net.SocketException: Connection reset",
        "\tat java.base/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:328)"
    };

    record Recorded(String verdict, Suggestion suggestion, String failedFirst, List<Fact> facts) {
        Recorded suggesting(Suggestion another) {
            return new Recorded(verdict, another, failedFirst, facts);
        }

        Recorded first(String another) {
            return new Recorded(verdict, suggestion, another, facts);
        }

        @Override
        public String toString() {
            return verdict;
        }
    }

    /** Most recordings are of rank 1, which shall be restarted. */
    private static Recorded recording(String verdict, Fact... facts) {
        return new Recorded(verdict, Suggestion.RESTART, "rank 1", List.of(facts));
    }

    private static Evidence crash(String resource) {
        return Evidence.of(Objects.requireNonNull(Crash.parse("/job/hs_err_pid1001.log", lines(resource))));
    }

    private static Fact overdue(Evidence evidence) {
        return new Fact(
                1,
                Kind.OVERDUE,
                Facts.CYCLE,
                0,
                "n0",
                "rank 1",
                1,
                1,
                1001,
                "is overdue",
                null,
                null,
                false,
                null,
                null,
                List.of(),
                evidence,
                null);
    }

    private static Fact stuck(int rank) {
        return recorded(1, rank, "SOFT_TIMEOUT", STUCK.text("did not ping for 3.1 s, ", ", 7 pings"), STUCK);
    }

    /** Rank 1, which has printed this, ends first. */
    private static Fact exited(int code, String... lines) {
        return ended(1, 1, code, printed(lines));
    }

    /** The process of rank 1, as its agent has seen its end. */
    private static Fact process(int code, JobPart part) {
        return new EndedProcess("rank 1", 1, 1, 7, new RankEnd(ExitReason.of(code), part), MemoryUse.NONE, null)
                .fact(Facts.CYCLE, 0, "n0")
                .numbered(1);
    }

    static Stream<Recorded> recordings() {
        return Stream.of(
                recording("OUT_OF_MEMORY_KILLED(rank 1)", ended(1, 1, 137, kernel(1)), ended(2, 0, 1, printed(RESET))),
                recording("OUT_OF_MEMORY_KILLED(rank 1)", ended(1, 1, 137, kernel(0, OOM_KILL))),
                recording("OUT_OF_MEMORY_KILLED(rank 1)", exited(1, NO_MEMORY)),
                recording("KILLED(SIGKILL)", exited(137)),
                // Neither the kernel of another node explains it, nor the end of another process of this one.
                recording("KILLED(SIGKILL)", exited(137), ended(2, 2, 137, kernel(1, OOM_KILL))),
                recording("EXITED(17)", ended(1, 1, 17, kernel(1))),
                recording("EXITED(17)", exited(17), ended(2, 2, 1, kernel(0, FALLEN_OFF))),
                recording("SEGFAULT(libshard.so)", ended(1, 1, 134, crash("hs_err-native-jdk17.txt"))),
                recording("SEGFAULT(libshard.so)", ended(1, 1, 134, crash("hs_err-native-jdk25.txt"))),
                recording("SEGFAULT(libjvm.so)", ended(1, 1, 134, crash("hs_err-unsafe.txt"))),
                recording("SEGFAULT(libc.so.6)", ended(1, 1, 134, crash("hs_err-kill.txt"))),
                recording("SEGFAULT", exited(139)),
                recording("KILLED(SIGTERM)", exited(143)),
                recording("KILLED(SIGBUS)", exited(135)),
                recording("KILLED(SIGUSR1)", exited(138)),
                recording("KILLED(SIGABRT)", exited(134)),
                recording("HANG_IN(train.Reducer.allReduce)", stuck(1)),
                recording(
                        "HANG_IN(all-reduce)",
                        overdue(Evidence.ofHang(List.of("step", "all-reduce"), 41L, List.of())),
                        ended(2, 1, 143, true, Evidence.NONE)),
                recording(
                        "HANG_IN(train.Main.step)",
                        overdue(Evidence.NONE),
                        ended(
                                2,
                                1,
                                137,
                                printed(
                                        "\"main\" #1 prio=5",
                                        "\tat java.lang.Object.wait(java.base@17/Native Method)",
                                        "\tat train.Main.step(Main.java:12)"))),
                recording(
                        "HANG_IN(rank 1)",
                        silent(1, 1),
                        recorded(2, 1, "HARD_TIMEOUT", "no progress for 6000 ms"),
                        ended(3, 1, 143, Evidence.NONE)),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        stuck(0),
                        recorded(2, 1, "OUT_OF_MEMORY", "threw 1 OutOfMemoryError; made no progress for 8.0 s")),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        recorded(1, 1, "HARD_TIMEOUT", "no progress for 6000 ms"),
                        ended(2, 1, 143, Evidence.of(new MemoryUse(97, 3, MemoryUse.UNKNOWN, false)))),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        ended(1, 1, 1, Evidence.of(new MemoryUse(5, 3, MemoryUse.UNKNOWN, true)))),
                recording(
                        "HANG_IN(train.Reducer.allReduce)",
                        stuck(1),
                        ended(2, 1, 143, Evidence.of(new MemoryUse(94, 3, 80, false)))),
                recording(
                                "HOST_LOST(n1)",
                                recorded(1, 2, "TERMINATED", "its session ended without a goodbye"),
                                recorded(2, 3, "TERMINATED", "its session ended without a goodbye"),
                                ofNode(3, Kind.NODE_LOST, "n1"))
                        .first("node n1"),
                recording(
                                "NETWORK_PARTITION(2 nodes)",
                                ofNode(1, Kind.NODE_LOST, "n1"),
                                ofNode(2, Kind.NODE_LOST, "n2"))
                        .first("node n1"),
                recording("NETWORK_PARTITION(n1)", ofNode(1, Kind.NODE_LOST, "n1"), ofNode(2, Kind.CUT_OFF, "n1"))
                        .first("node n1"),
                recording(
                        "HOST_LOST(host of rank 1)",
                        recorded(1, 1, "TERMINATED", "its session ended without a goodbye")),
                recording("GPU_XID(79)", ended(1, 1, 1, kernel(0, FALLEN_OFF))).suggesting(Suggestion.EXCLUDE_HOST),
                recording("GPU_XID(48)", ended(1, 1, 1, kernel(0, DOUBLE_BIT))).suggesting(Suggestion.EXCLUDE_HOST),
                recording("GPU_XID(31)", ended(1, 1, 1, kernel(0, PAGE_FAULT))),
                recording("USER_EXCEPTION(java.lang.IllegalStateException, rank 1)", exited(1, EXCEPTION)),
                recording(
                                "USER_EXCEPTION(java.io.IOException, rank 2)",
                                recorded(1, 2, "EXCEPTION", "java.io.IOException: no route"))
                        .first("rank 2"),
                recording(
                        "USER_EXCEPTION(ValueError, rank 1)",
                        exited(
                                1,
                                "Traceback (most recent call last):",
                                "  File \"/job/train.py\", line 3, in <module>",
                                "    main()",
                                "ValueError: bad shape")),
                // As recorded: the ring of rank 0 breaks before rank 1 has said why it leaves.
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        recorded(
                                1,
                                0,
                                "EXCEPTION",
                                "java.io.IOException: rank 0 of 2 cannot receive from rank 1: that rank died or left the ring"),
                        recorded(2, 1, "TERMINATED_BY_RANK", "java.lang.OutOfMemoryError: Java heap space"),
                        ended(3, 1, 1, Evidence.NONE)),
                // A rank that loses its peer may be noticed first: its exception says what it is.
                recording("KILLED(SIGTERM)", ended(1, 0, 1, printed(RESET)), ended(2, 1, 143, Evidence.NONE)),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        exited(
                                1,
                                "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space",
                                "\tat Crash.main(Crash.java:5)")),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        exited(
                                3,
                                "Dumping heap to /job/java_pid1001.hprof ...",
                                "Heap dump file created [1024 bytes in 0.1 secs]")),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        recorded(1, 1, "TERMINATED_BY_RANK", "java.lang.OutOfMemoryError: Java heap space"),
                        ended(2, 1, 1, Evidence.NONE)),
                recording(
                                "CONFIGURATION",
                                exited(
                                        1,
                                        "Error: Could not find or load main class Nope",
                                        "Caused by: java.lang.ClassNotFoundException: Nope"))
                        .suggesting(Suggestion.STOP),
                recording(
                                "CONFIGURATION",
                                exited(
                                        1,
                                        "Error occurred during initialization of VM",
                                        "Could not reserve enough space for 104856551424KB object heap"))
                        .suggesting(Suggestion.STOP),
                recording(
                                "CONFIGURATION",
                                exited(
                                        1,
                                        "Exception in thread \"main\" java.lang.NoClassDefFoundError: train/Step",
                                        "\tat train.Main.main(Main.java:3)"))
                        .suggesting(Suggestion.STOP),
                recording(
                                "CONFIGURATION",
                                exited(
                                        1,
                                        "Exception in thread \"main\" dev.resiliency.inprocess.ResiliencyException: the function has failed 4 times",
                                        "\tat train.Main.main(Main.java:3)",
                                        "Caused by: java.lang.NoSuchMethodError: 'void train.Ring.connect()'"))
                        .suggesting(Suggestion.STOP),
                recording(
                                "CONFIGURATION",
                                exited(
                                        1,
                                        "Traceback (most recent call last):",
                                        "  File \"/job/train.py\", line 1, in <module>",
                                        "    import torch",
                                        "ModuleNotFoundError: No module named 'torch'"))
                        .suggesting(Suggestion.STOP),
                recording(
                                "CONFIGURATION",
                                new EndedProcess(
                                                "rank 1",
                                                1,
                                                1,
                                                0,
                                                new RankEnd(new NotStarted(127, "there is no file x"), JobPart.NONE),
                                                MemoryUse.NONE,
                                                null)
                                        .fact(Facts.CYCLE, 0, "n0")
                                        .numbered(1))
                        .suggesting(Suggestion.STOP),
                recording("CONFIGURATION", ofNode(1, Kind.REFUSED, "n0"))
                        .first("node n0")
                        .suggesting(Suggestion.STOP),
                // A healthy rank that waits for one without memory is noticed first.
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        recorded(1, 0, "SOFT_TIMEOUT", "it has not pinged for 0.5 s"),
                        recorded(2, 1, "TERMINATED_BY_RANK", "java.lang.OutOfMemoryError: Java heap space"),
                        ended(3, 1, 1, Evidence.NONE)),
                recording(
                        "OUT_OF_MEMORY_KILLED(rank 1)",
                        recorded(1, 0, "SOFT_TIMEOUT", "it has not pinged for 0.5 s"),
                        recorded(2, 1, "SOFT_TIMEOUT", "it has not pinged for 0.5 s"),
                        ended(3, 1, 137, kernel(1))),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        exited(3, "Terminating due to java.lang.OutOfMemoryError: Java heap space")),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        exited(1, "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space")),
                recording(
                        "OUT_OF_HEAP(rank 1)",
                        exited(
                                1,
                                "Exception: java.lang.OutOfMemoryError thrown from the UncaughtExceptionHandler in"
                                        + " thread \"main\"")),
                recording("NODES_MISSING", ofNode(1, Kind.NODES_MISSING, "n0")).first("node n0"),
                recording("KILLED(agent of n0)", ofNode(1, Kind.AGENT_REPLACED, "n0"))
                        .first("node n0"),
                recording("STORE_LOST", ofNode(1, Kind.STORE_LOST, "n0")).first("node n0"),
                recording(
                        "KILLED(monitor process of rank 1)",
                        recorded(1, 1, "MONITOR_PROCESS_LOST", "its monitor process has died")),
                recording(
                                "CONFIGURATION",
                                recorded(
                                        1,
                                        1,
                                        "CANNOT_RUN",
                                        "no heartbeat file can be created in /tmp (java.nio.file.FileSystemException: /tmp/x: Read-only"
                                                + " file system): free space there, or name another directory with -Djava.io.tmpdir"))
                        .suggesting(Suggestion.STOP),
                recording("EXITED(17)", exited(17)),
                recording(
                                "EXITED(93)",
                                recorded(
                                        1,
                                        1,
                                        "TERMINATED_BY_RANK",
                                        "dev.resiliency.inprocess.RestartAbort: the data is used up"),
                                ended(2, 1, 93, Evidence.NONE))
                        .suggesting(Suggestion.STOP),
                recording("EXITED(1)", process(1, JobPart.GIVEN_UP)).suggesting(Suggestion.STOP),
                recording("EXITED(94)", exited(94)).suggesting(Suggestion.EXCLUDE_HOST),
                recording("EXITED(130)", process(130, JobPart.NONE)).suggesting(Suggestion.STOP),
                recording("UNKNOWN", recorded(1, 1, "TERMINATED_BY_RANK", "no more data")));
    }

    @ParameterizedTest(name = "{index} {0}")
    @MethodSource("recordings")
    void recordedIncidentIsJudgedRightly(Recorded recorded) {
        Incident incident = Incident.of(recorded.facts());
        Judgement judgement = Rules.judge(incident);

        assertThat(judgement.verdict()).isEqualTo(recorded.verdict());
        assertThat(judgement.suggestion()).isEqualTo(recorded.suggestion());
        assertThat(incident.first().who()).isEqualTo(recorded.failedFirst());
    }

    /** The file has what people read: compare it by eye after a change, and replace it. */
    @Test
    void eachJudgementSaysWhyAndByWhichEvidence() {
        List<String> told = recordings()
                .map(recorded -> Rules.judge(Incident.of(recorded.facts())))
                .flatMap(judgement -> Stream.concat(
                        Stream.of(judgement.verdict(), "    " + judgement.why()),
                        judgement.evidence().stream().map(line -> "    - " + line)))
                .toList();

        assertThat(told).isEqualTo(lines("judgements.txt"));
    }

    @Test
    void eachCauseIsRecorded() {
        Set<Cause> seen = recordings()
                .map(recorded -> Rules.judge(Incident.of(recorded.facts())).cause())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Cause.class)));

        assertThat(seen).isEqualTo(EnumSet.allOf(Cause.class));
    }

    @Test
    void causeThatComesAgainAndAgainEndsInAnotherSuggestion() {
        List<Fact> facts = List.of(ended(1, 1, 1, printed(EXCEPTION)));
        JobHistory none = JobHistory.of(2);
        CycleReport once = CycleReport.of(Incident.of(facts), 0, none);
        CycleReport thrice =
                CycleReport.of(Incident.of(facts), 0, none.and(once).and(once));

        assertThat(once.suggestion()).isEqualTo("RESTART");
        assertThat(thrice.suggestion()).isEqualTo("STOP");
        assertThat(thrice.times()).isEqualTo(2);
    }

    private static CycleReport report(JobHistory before, Fact... facts) {
        return CycleReport.of(Incident.of(List.of(facts)), 0, before);
    }

    @Test
    void hostIsAccusedOfWhatHappensOnItOnceMoreOrToSeveralOfItsRanksIfThereIsAnother() {
        Fact killed = ended(1, 1, 137, Evidence.NONE);
        JobHistory none = JobHistory.of(2);
        CycleReport once = report(none, killed);
        CycleReport elsewhere = report(none, ended(1, 2, 137, Evidence.NONE));

        assertThat(once.suggestion()).isEqualTo("RESTART");
        assertThat(report(none.and(elsewhere), killed).suggestion()).isEqualTo("RESTART");
        assertThat(report(none.and(elsewhere).and(once), killed))
                .returns("EXCLUDE_HOST", CycleReport::suggestion)
                .returns("the same has happened 2 times on node n0: try without it", CycleReport::why);
        assertThat(report(JobHistory.of(1).and(once), killed).suggestion())
                .as("there is no other host")
                .isEqualTo("RESTART");
        assertThat(report(none, killed, ended(2, 0, 137, Evidence.NONE)))
                .returns("EXCLUDE_HOST", CycleReport::suggestion)
                .returns("2 ranks have failed at once, all of them on node n0: try without it", CycleReport::why);
        assertThat(report(none, killed, ended(2, 2, 137, Evidence.NONE)).suggestion())
                .as("those of another node have failed, too")
                .isEqualTo("RESTART");
        assertThat(report(none.and(report(none, ofNode(1, Kind.NODE_LOST, "n1"))), ofNode(1, Kind.NODE_LOST, "n1"))
                        .suggestion())
                .isEqualTo("EXCLUDE_HOST");
    }

    @Test
    void reportSurvivesItsJsonAndIsPrintedWithoutControlCharacters() {
        Fact crashed = ended(1, 1, 134, crash("hs_err-native-jdk17.txt"));
        Fact printed = ended(
                2, 0, 1, printed("\u001b[31mred", "Exception in thread \"main\" a.B.CError", "\tat x.Y.z(Y.java:1)"));
        CycleReport report = CycleReport.of(Incident.of(List.of(crashed, printed)), 7, JobHistory.of(1))
                .numbered(5)
                .with(new Recommendation("STOP", "bad node", "rules"));

        CycleReport read = Json.read(Json.write(report), CycleReport.class);

        assertThat(read).isEqualTo(report);
        assertThat(read.cycle()).isEqualTo(Facts.CYCLE);
        assertThat(Json.write(report)).contains("\"isAsked\"").doesNotContain("\"fault\"", "lossOfPeer");
        String page = String.join("\n", ReportPage.of(read));
        assertThat(page)
                .contains("report 5: SEGFAULT(libshard.so)", "sum_bucket+0xc", "service      STOP: bad node")
                .doesNotContain("\u001b");
        assertThat(report.line()).startsWith("report 5: SEGFAULT(libshard.so) on node n0, first rank 1: restart (");
    }
}
