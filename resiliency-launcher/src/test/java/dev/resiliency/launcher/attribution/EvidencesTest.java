package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.lines;
import static dev.resiliency.launcher.attribution.Facts.printed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.spi.stack.Activity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found in the last lines of a process, and in the file in which a JVM describes its crash. */
class EvidencesTest {
    private static final Path JOB = Path.of("/job");

    private static Thrown thrown(String... lines) {
        return Objects.requireNonNull(printed(lines).thrown());
    }

    @Test
    void processThatHasPrintedNothingGivesNoEvidence() {
        assertThat(printed()).isEqualTo(Evidence.NONE);
    }

    @Test
    void lastLinesAreKeptAndLongOnesShortened() {
        List<String> lines = new ArrayList<>(Collections.nCopies(30, "early"));
        lines.add("x".repeat(500));
        lines.add("x".repeat(501));

        assertThat(printed(lines.toArray(String[]::new)).lastLines())
                .hasSize(20)
                .endsWith("early", "x".repeat(500), "x".repeat(500) + "…");
    }

    // --- crashes

    @Test
    void fileThatTheJvmNamesIsLookedForFirst() {
        List<String> lines = List.of(
                "# An error report file with more information is saved as:",
                "# /var/crash/hs_err_pid7.log",
                "# An error report file with more information is saved as:");

        assertThat(Evidences.crashFiles(JOB, 7, lines, List.of("-Xmx1g -XX:ErrorFile=logs/err%p.log -XX:ErrorFile=/e")))
                .containsExactly(
                        Path.of("/var/crash/hs_err_pid7.log"),
                        Path.of("/job/logs/err7.log"),
                        Path.of("/e"),
                        Path.of("/job/hs_err_pid7.log"),
                        Path.of("/tmp/hs_err_pid7.log"));
        assertThat(Evidences.crashFiles(JOB, 7, List.of("hello"), List.of()))
                .containsExactly(Path.of("/job/hs_err_pid7.log"), Path.of("/tmp/hs_err_pid7.log"));
    }

    @Test
    void crashIsReadFromWhatTheJvmPrints() {
        Crash crash = printed(
                        "step 11",
                        "#  SIGBUS (0x7) at pc=0x1, pid=1, tid=1",
                        "# A fatal error has been detected by the Java Runtime Environment:",
                        "#  SIGSEGV (0xb) at pc=0x00007f1, pid=7, tid=8",
                        "# Problematic frame:",
                        "# C  [libshard.so+0x1119]  sum_bucket+0xc",
                        "# An error report file with more information is saved as:",
                        "# /job/hs_err_pid7.log")
                .crash();

        assertThat(crash)
                .isEqualTo(new Crash(
                        "/job/hs_err_pid7.log",
                        "SIGSEGV",
                        "C  [libshard.so+0x1119]  sum_bucket+0xc",
                        "libshard.so",
                        "",
                        null));
        assertThat(Objects.requireNonNull(crash).isOutOfMemory()).isFalse();
    }

    @Test
    void lackOfMemoryForTheJvmIsACrashOfItsOwnKind() {
        Crash crash = printed(
                        "# There is insufficient memory for the Java Runtime Environment to continue.",
                        "# Native memory allocation (mmap) failed to map 16384 bytes.")
                .crash();

        assertThat(crash).isEqualTo(new Crash("", "insufficient memory", "", "", "", null));
        assertThat(Objects.requireNonNull(crash).isOutOfMemory()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "hs_err-native-jdk17.txt, SIGSEGV, libshard.so, main,",
        "hs_err-native-jdk25.txt, SIGSEGV, libshard.so, main,",
        "hs_err-unsafe.txt, SIGSEGV, libjvm.so, main,",
        "hs_err-kill.txt, SIGSEGV, libc.so.6, '', 25737"
    })
    void crashFileNamesLibraryThreadAndSender(String file, String what, String library, String thread, Long sender) {
        Crash crash = Objects.requireNonNull(Crash.parse(file, lines(file)));

        assertThat(crash)
                .extracting(Crash::file, Crash::what, Crash::library, Crash::thread, Crash::sender)
                .containsExactly(file, what, library, thread, sender);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "C  [libc.so.6+0x85f14]|libc.so.6",
                "V  [libjvm.so+0xf2a3b4]  Unsafe_PutLong+0x1|libjvm.so",
                "J 42 c2 train.Step.run(I)V (12 bytes) @ 0x1|train.Step.run",
                "j  train.Step.run()V+4|train.Step.run",
                "v  ~StubRoutines::call_stub|''"
            })
    void crashIsInTheLibraryOrMethodOfItsFrame(String frame, String library) {
        Crash crash = printed(
                        "# A fatal error has been detected by the Java Runtime Environment:",
                        "#  Internal Error (sharedRuntime.cpp:1), pid=1, tid=1",
                        "# Problematic frame:",
                        "# " + frame)
                .crash();

        assertThat(Objects.requireNonNull(crash))
                .extracting(Crash::what, Crash::frame, Crash::library)
                .containsExactly("Internal Error (sharedRuntime.cpp:1), pid=1, tid=1", frame, library);
    }

    @Test
    void fileThatTheJvmHasNotNamedYetIsNotLookedFor() {
        assertThat(Evidences.crashFiles(
                        JOB, 7, List.of("# An error report file with more information is saved as:"), List.of()))
                .containsExactly(Path.of("/job/hs_err_pid7.log"), Path.of("/tmp/hs_err_pid7.log"));
    }

    // --- the heap

    @Test
    void heapDumpCountsOnceItIsWritten() {
        assertThat(Evidences.of("/job", 7, List.of("Dumping heap to java_pid7.hprof ..."), 0, List.of())
                        .heapDump())
                .isNull();
        assertThat(Evidences.of(
                                "/job",
                                7,
                                List.of(
                                        "Dumping heap to java_pid7.hprof ...",
                                        "Heap dump file created [1024 bytes in 0.1 secs]",
                                        "and more"),
                                0,
                                List.of())
                        .heapDump())
                .isEqualTo("/job/java_pid7.hprof");
        assertThat(printed("Heap dump file created [1024 bytes in 0.1 secs]").heapDump())
                .isNull();
    }

    // --- exceptions

    @Test
    void stackEndsWithTheFirstLineThatIsNotIndented() {
        assertThat(thrown(
                                "java.lang.IllegalStateException: step 12 failed",
                                "    at A.a(A.java:1)",
                                "    - waiting to lock <0x1>",
                                "\t- locked <0x2>",
                                "    at B.b(B.java:2)",
                                "step 13",
                                "    at C.c(C.java:3)")
                        .frames())
                .containsExactly("A.a(A.java:1)", "B.b(B.java:2)");
    }

    @Test
    void lastExceptionCountsWithItsRootCause() {
        Thrown thrown = thrown(
                "java.lang.IllegalStateException: an old one",
                "\tat A.a(A.java:1)",
                "Exception in thread \"main\" java.lang.IllegalStateException: step 12 failed",
                "\tat A.a(A.java:1)",
                "\tat A.b(A.java:2)",
                "\tat A.c(A.java:3)",
                "\tat A.d(A.java:4)",
                "\tat A.e(A.java:5)",
                "\tat A.f(A.java:6)",
                "Caused by: java.io.UncheckedIOException",
                "\tat B.a(B.java:1)",
                "Caused by: java.io.IOException: no route to shard 7",
                "\t... 1 more",
                "bye",
                "Caused by: java.lang.Error: of something else");

        assertThat(thrown)
                .isEqualTo(new Thrown(
                        "java.lang.IllegalStateException",
                        "step 12 failed",
                        List.of("A.a(A.java:1)", "A.b(A.java:2)", "A.c(A.java:3)", "A.d(A.java:4)", "A.e(A.java:5)"),
                        "java.io.IOException: no route to shard 7"));
        assertThat(thrown).hasToString("java.lang.IllegalStateException: step 12 failed");
    }

    @Test
    void exceptionWithoutAStackIsNone() {
        assertThat(printed("java.lang.IllegalStateException: said in passing", "bye")
                        .thrown())
                .isNull();
        assertThat(printed("java.lang.IllegalStateException: at the very end").thrown())
                .isNull();
        assertThat(printed("Caused by: java.io.IOException: of a stack above", "\tat A.a(A.java:1)")
                        .thrown())
                .isNull();
    }

    @Test
    void exceptionOfPythonEndsItsTraceback() {
        assertThat(thrown(
                        "Traceback (most recent call last):",
                        "  File \"/job/a.py\", line 1, in <module>",
                        "    main()",
                        "  File \"/job/b.py\", line 2, in main",
                        "    raise ValueError(\"bad shape\")",
                        "ValueError: bad shape",
                        "bye"))
                .isEqualTo(new Thrown(
                        "ValueError",
                        "bad shape",
                        List.of("File \"/job/a.py\", line 1, in <module>", "File \"/job/b.py\", line 2, in main"),
                        ""));
        assertThat(printed("Traceback (most recent call last):", "  File \"/job/a.py\", line 1, in <module>")
                        .thrown())
                .isNull();
        assertThat(printed("Traceback (most recent call last):", "- nothing of Python")
                        .thrown())
                .isNull();
    }

    @Test
    void innermostFramesOfPythonAreKept() {
        List<String> lines = new ArrayList<>(List.of("Traceback (most recent call last):"));
        for (int i = 0; i < 7; i++) {
            lines.add("  File \"/job/%d.py\"".formatted(i));
        }
        lines.add("KeyboardInterrupt");

        assertThat(thrown(lines.toArray(String[]::new)).frames())
                .hasSize(5)
                .startsWith("File \"/job/2.py\"")
                .endsWith("File \"/job/6.py\"");
    }

    @Test
    void longMessageIsShortened() {
        assertThat(Objects.requireNonNull(Thrown.of("a.BError: " + "x".repeat(300)))
                        .message())
                .isEqualTo("x".repeat(300));
        assertThat(Objects.requireNonNull(Thrown.of("a.BError: " + "x".repeat(301)))
                        .message())
                .isEqualTo("x".repeat(300) + "…");
    }

    @Test
    void textIsAnExceptionIfItBeginsWithItsType() {
        assertThat(Thrown.of("java.io.IOException: no route"))
                .isEqualTo(new Thrown("java.io.IOException", "no route", List.of(), ""));
        assertThat(Thrown.of("java.io.IOException")).hasToString("java.io.IOException");
        assertThat(Thrown.of("it saw java.io.IOException: no route")).isNull();
        assertThat(Thrown.of("has EXCEPTION")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java.io.EOFException||true",
                "java.io.IOException: Connection reset by peer||true",
                "java.io.IOException: rank 3 died||true",
                "java.io.IOException: no space left||false",
                "a.TrainException: a step failed|java.net.SocketException: Broken pipe|true",
                "a.TrainException: a step failed|a.NcclError: remote process exited or there was a network error|true",
                "java.io.EOFException: Connection reset|a.ShapeError: 3 is not 4|false"
            })
    void rootCauseSaysWhetherAPeerIsLost(String text, String root, boolean isLoss) {
        Thrown thrown = Objects.requireNonNull(Thrown.of(text));
        Thrown caused = new Thrown(thrown.type(), thrown.message(), List.of(), root == null ? "" : root);

        assertThat(caused.isLossOfPeer()).isEqualTo(isLoss);
    }

    @Test
    void heapIsTooSmallAlsoIfOnlyTheRootCauseSaysSo() {
        assertThat(new Thrown("java.lang.OutOfMemoryError", "Java heap space", List.of(), "").isOutOfMemory())
                .isTrue();
        assertThat(new Thrown("a.BException", "", List.of(), "java.lang.OutOfMemoryError: Java heap space")
                        .isOutOfMemory())
                .isTrue();
        assertThat(new Thrown("a.BException", "java.lang.OutOfMemoryError", List.of(), "").isOutOfMemory())
                .isFalse();
    }

    // --- stacks

    @Test
    void mainThreadOfTheLastDumpIsShown() {
        List<String> lines = new ArrayList<>(List.of(
                "\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable",
                "\tat old.Main.main(Main.java:1)",
                "",
                "Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):",
                "\"main\" #1 [7] prio=5 os_prio=0 cpu=1ms elapsed=1s tid=0x1 nid=0x1 waiting on condition",
                "   java.lang.Thread.State: TIMED_WAITING (sleeping)",
                "\tat java.lang.Thread.sleep(java.base@17.0.15/Native Method)",
                "\t- locked <0x1> (a java.lang.Object)",
                "\tat train.Main.main(Main.java:12)"));
        assertThat(Stacks.mainThread(lines))
                .containsExactly(
                        "java.lang.Thread.sleep(java.base@17.0.15/Native Method)", "train.Main.main(Main.java:12)");

        lines.add("\"Reference Handler\" #2 daemon");
        lines.add("\tat java.lang.ref.Reference.waitForReferencePendingList(Reference.java:1)");
        assertThat(Stacks.mainThread(lines)).hasSize(2);
        assertThat(Stacks.mainThread(List.of("\tat a.b.C(D.java:1)"))).isEmpty();
    }

    @Test
    void deepStackIsCut() {
        List<String> lines = new ArrayList<>(List.of("\"main\" #1"));
        lines.addAll(Collections.nCopies(30, "\tat a.B.c(B.java:1)"));

        assertThat(Stacks.mainThread(lines)).hasSize(20);
    }

    private static Activity activity(String state, String... frames) {
        List<String> lines = new ArrayList<>(List.of("\"main\" #1 prio=5", "   java.lang.Thread.State: " + state));
        lines.addAll(List.of(frames));
        return Objects.requireNonNull(Stacks.activity(lines));
    }

    @Test
    void dumpSaysWhatTheMainThreadDoes() {
        assertThat(activity(
                        "RUNNABLE",
                        "\tat sun.nio.ch.Net.poll(java.base@17/Native Method)",
                        "\tat a.Ring.read(R.java:1)"))
                .isEqualTo(Activity.SOCKET);
        assertThat(activity(
                        "WAITING (parking)",
                        "\tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)",
                        "\tat a.Loader.next(L.java:1)"))
                .isEqualTo(Activity.THREAD);
        assertThat(activity("BLOCKED (on object monitor)", "\tat a.Loader.next(L.java:1)"))
                .isEqualTo(Activity.LOCK);
        assertThat(activity("RUNNABLE", "\tat a.Loader.next(L.java:1)", "\tat java.net.Socket.connect(S.java:1)"))
                .as("the program has not called the socket")
                .isEqualTo(Activity.NONE);
        assertThat(activity("RUNNABLE", "\tat sun.nio.ch.FileDispatcherImpl.read0(java.base@17/Native Method)"))
                .isEqualTo(Activity.NONE);
        assertThat(activity("RUNNABLE")).isEqualTo(Activity.NONE);
        assertThat(Stacks.activity(List.of("step 5"))).isNull();
    }

    @Test
    void deadlockIsThatOfTheMainThreadOnlyIfItIsPartOfIt() {
        String[] blocked = {"\tat a.Main.lock(M.java:1)", "", "Found one Java-level deadlock:", "=====", "\"one\":"};

        assertThat(activity("BLOCKED (on object monitor)", blocked)).isEqualTo(Activity.LOCK);
        blocked[4] = "\"main\":";
        assertThat(activity("BLOCKED (on object monitor)", blocked)).isEqualTo(Activity.DEADLOCK);
    }
}
