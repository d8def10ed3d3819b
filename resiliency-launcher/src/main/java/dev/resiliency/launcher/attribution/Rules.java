package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules by which an incident is judged, as a table: the first whose condition holds says why it happened. Pure. */
final class Rules {
    private static final Set<String> MONITOR = Set.of("MONITOR_PROCESS_LOST");
    private static final Set<String> GIVEN_UP = Set.of(JobPart.GIVEN_UP.name());
    private static final Set<String> CANNOT_RUN = Set.of("CANNOT_RUN");
    private static final Pattern CANNOT_START = Pattern.compile(
            "(Error: (Could not find or load main class|Unable to access jarfile|LinkageError occurred|JNI error"
                    + "|Main method not found).*|Unrecognized (VM )?option.*|Invalid (maximum|initial) heap size.*"
                    + "|Error occurred during initialization of VM.*|Could not reserve enough space .*"
                    + "|Conflicting .* combinations in option list.*)");
    private static final Set<String> CANNOT_LOAD = Set.of(
            "java.lang.ClassNotFoundException",
            "java.lang.NoClassDefFoundError",
            "java.lang.NoSuchMethodError",
            "java.lang.NoSuchFieldError",
            "java.lang.AbstractMethodError",
            "java.lang.IncompatibleClassChangeError",
            "java.lang.UnsatisfiedLinkError",
            "java.lang.UnsupportedClassVersionError",
            "java.lang.module.FindException",
            "ModuleNotFoundError",
            "ImportError");
    /** Errors after which a GPU needs more than a restart of its process: see NVIDIA's list of XIDs. */
    private static final Set<Integer> BROKEN_GPU = Set.of(46, 48, 62, 63, 64, 74, 79, 92, 94, 95, 119, 120, 140);

    private static final List<Rule> TABLE = List.of(
            new Rule(it -> KernelLog.xid(it.kernel()).isPresent(), Rules::xid),
            new Rule(it -> it.incident().isKilledForMemory(it.first()), Rules::killedForMemory),
            new Rule(it -> cannotRun(it) != null, Rules::configuration),
            new Rule(it -> it.first().isOutOfHeap() || lacksHeap(it), Rules::outOfHeap),
            new Rule(
                    it -> it.evidence().crash() != null
                            || "SIGSEGV".equals(it.first().signal()),
                    Rules::segfault),
            new Rule(it -> request(it) == Verdict.ABORT || request(it) == Verdict.REPLACE_HOST, Rules::requested),
            HangRules.RULE,
            new Rule(it -> it.first().hasRecorded(MONITOR), Rules::monitorLost),
            new Rule(it -> thrownBy(it) != null, Rules::userException),
            new Rule(it -> it.first().isOnlyMissed(), Rules::silent),
            new Rule(it -> it.first().signal() != null, Rules::killed),
            new Rule(it -> it.first().exitCode() != null, Rules::exited),
            new Rule(it -> true, Rules::unknown));

    private Rules() {}

    /** Returns why an incident happened; the last rule takes all. */
    static Judgement judge(Incident incident) {
        Case it = Case.of(incident);
        return Stream.concat(NodeRules.TABLE.stream(), TABLE.stream())
                .filter(rule -> rule.condition().test(it))
                .findFirst()
                .orElseThrow()
                .judgement()
                .apply(it);
    }

    private static Judgement xid(Case it) {
        int number = KernelLog.xid(it.kernel()).orElseThrow();
        boolean isBroken = BROKEN_GPU.contains(number);
        return it.judgement(
                Cause.GPU_XID,
                Integer.toString(number),
                isBroken ? Suggestion.EXCLUDE_HOST : Suggestion.RESTART,
                isBroken
                        ? "that GPU needs a reset or a repair"
                        : "such an error is most often one of the program, or passes",
                it.kernel().stream()
                        .filter(line -> line.contains("Xid"))
                        .findFirst()
                        .orElse(""));
    }

    private static Judgement killedForMemory(Case it) {
        long kills = it.incident().oomKillsOf(it.first().node());
        Crash crash = it.evidence().crash();
        return it.judgement(
                Cause.OUT_OF_MEMORY_KILLED,
                it.first().who(),
                Suggestion.RESTART,
                "memory of the host or its control group ran out: give it more, or each rank a smaller heap",
                kills > 0 ? "the control group counts %d more processes killed (oom_kill)".formatted(kills) : "",
                it.kernel().stream()
                        .filter(line -> line.contains("emory"))
                        .findFirst()
                        .orElse(""),
                crash == null || crash.file().isEmpty() ? "" : "see " + crash.file());
    }

    private static @Nullable String cannotRun(Case it) {
        if (it.first().has(Kind.NOT_STARTED) || it.first().has(Kind.REFUSED)) {
            return it.first().first().text();
        }
        if (it.first().hasRecorded(CANNOT_RUN)) {
            return it.first().recorded(CANNOT_RUN);
        }
        Thrown thrown = it.evidence().thrown();
        if (thrown != null && CANNOT_LOAD.contains(thrown.type())) {
            return thrown.toString();
        }
        if (thrown != null && CANNOT_LOAD.contains(thrown.cause())) {
            return thrown.root();
        }
        return it.evidence().lastLines().stream()
                .filter(line -> CANNOT_START.matcher(line).matches())
                .findFirst()
                .orElse(null);
    }

    private static Judgement configuration(Case it) {
        String what = String.valueOf(cannotRun(it));
        return it.judgement(
                Cause.CONFIGURATION,
                "",
                Suggestion.STOP,
                "it would fail in the same way again: correct the command, its class path or its options",
                what.equals(it.first().first().text()) ? "" : what);
    }

    /** A heap that a collection cannot empty leaves time for nothing but collections. */
    private static boolean lacksHeap(Case it) {
        MemoryUse memory = it.evidence().memory();
        boolean isKilled = it.first().signal() != null && !it.first().hangs();
        return memory != null && !isKilled && (memory.ranOut() || (it.first().hangs() && memory.isHeapFull()));
    }

    private static Judgement outOfHeap(Case it) {
        String dump = it.evidence().heapDump();
        return it.judgement(
                Cause.OUT_OF_HEAP,
                it.first().who(),
                Suggestion.RESTART,
                "if it happens again, give the JVM a larger heap (-Xmx), or find what fills it"
                        + (dump == null ? ": -XX:+HeapDumpOnOutOfMemoryError writes a dump" : ""),
                it.evidence().thrown() == null ? "" : it.evidence().thrown().toString(),
                dump == null ? "" : "heap dump: " + dump);
    }

    private static Judgement segfault(Case it) {
        Crash crash = it.evidence().crash();
        if (crash == null) {
            return it.judgement(
                    Cause.SEGFAULT,
                    "",
                    Suggestion.RESTART,
                    "native code has crashed, and no file says which: allow core dumps (ulimit -c unlimited)");
        }
        Long sender = crash.sender();
        return it.judgement(
                Cause.SEGFAULT,
                crash.library(),
                Suggestion.RESTART,
                sender == null
                        ? "if it happens again on this host alone, exclude it; on others, too, look at the library"
                        : "process %d has sent the signal: native code has not crashed by itself".formatted(sender),
                crash.frame().isEmpty() ? crash.what() : crash.what() + " at " + crash.frame(),
                crash.file().isEmpty() ? "" : "see " + crash.file());
    }

    /** Returns what the program has asked for with its exit code, if an agent has not ended it. */
    private static Verdict request(Case it) {
        Integer code = it.first().exitCode();
        if (it.first().hasRecorded(GIVEN_UP)) {
            return Verdict.ABORT;
        }
        return code == null || it.first().has(Kind.OVERDUE) ? Verdict.FAILED : Verdict.of(ExitReason.of(code));
    }

    private static Judgement requested(Case it) {
        boolean isOver = request(it) == Verdict.ABORT;
        Thrown thrown = thrownBy(it);
        return it.judgement(
                Cause.EXITED,
                String.valueOf(it.first().exitCode()),
                isOver ? Suggestion.STOP : Suggestion.EXCLUDE_HOST,
                isOver
                        ? "the program asks not to be started again: what it has printed last may say why"
                        : "the program asks for another host: what it has printed last may say why",
                thrown == null || it.first().text().contains(thrown.toString()) ? "" : thrown.toString());
    }

    private static Judgement monitorLost(Case it) {
        return it.judgement(
                Cause.KILLED,
                "monitor process of " + it.first().who(),
                Suggestion.RESTART,
                "a rank leaves when its monitor process is gone: find out who ends processes on this host");
    }

    private static @Nullable Thrown thrownBy(Case it) {
        Thrown recorded = Thrown.of(it.first().recorded(Casualty.THROWN));
        if (recorded != null) {
            return recorded;
        }
        boolean hasExited = it.first().has(Kind.PROCESS_ENDED) && it.first().signal() == null;
        return hasExited ? it.evidence().thrown() : null;
    }

    private static Judgement userException(Case it) {
        Thrown thrown = thrownBy(it);
        String type = thrown == null ? "" : thrown.type();
        Thrown printed = it.evidence().thrown();
        return it.judgement(
                Cause.USER_EXCEPTION,
                type + ", " + it.first().who(),
                Suggestion.RESTART,
                "the program has thrown: another attempt may succeed, but not again and again",
                thrown == null || it.first().text().contains(thrown.toString()) ? "" : thrown.toString(),
                printed == null || printed.frames().isEmpty()
                        ? ""
                        : "at " + printed.frames().get(0),
                printed == null || printed.root().isEmpty() ? "" : "caused by " + printed.root());
    }

    private static Judgement silent(Case it) {
        return it.judgement(
                Cause.HOST_LOST,
                "host of " + it.first().who(),
                Suggestion.RESTART,
                "neither has the process ended nor is its agent gone: it is suspended, or cut off from the store; look"
                        + " at its state on that host");
    }

    private static Judgement killed(Case it) {
        String signal = String.valueOf(it.first().signal());
        return it.judgement(
                Cause.KILLED,
                signal,
                Suggestion.RESTART,
                switch (signal) {
                    case "SIGKILL" ->
                        "its agent has not sent it, and nothing that it may read of the kernel speaks of memory: ask the"
                                + " scheduler, or dmesg on that host";
                    case "SIGABRT" -> "a check in native code has failed: its message is in the last lines";
                    case "SIGINT", "SIGTERM", "SIGHUP" ->
                        "its agent has not sent it: somebody else has, or the scheduler";
                    case "SIGBUS" -> "a mapped file has become shorter, or its file system is full";
                    default -> "native code, or another process, has sent it";
                });
    }

    private static Judgement exited(Case it) {
        Integer code = it.first().exitCode();
        return it.judgement(
                Cause.EXITED,
                String.valueOf(code),
                Suggestion.RESTART,
                code != null && code == 0
                        ? "the program has ended while the wrapper ran its function: look for what calls System.exit or halt"
                        : "the program has ended by itself: what it has printed last may say why");
    }

    private static Judgement unknown(Case it) {
        return it.judgement(
                Cause.UNKNOWN, "", Suggestion.RESTART, "nothing says that it will happen again: look at the logs");
    }
}
