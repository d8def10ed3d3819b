package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
            "java.lang.UnsupportedClassVersionError",
            "java.lang.module.FindException",
            "ModuleNotFoundError",
            "ImportError");
    /** Errors after which a GPU needs more than a restart of its process: see NVIDIA's list of XIDs. */
    private static final Set<Integer> BROKEN_GPU = Set.of(46, 48, 62, 63, 64, 74, 79, 92, 94, 95, 119, 120, 140);

    /** What is judged: the one that failed first, and the incident around it. */
    record Case(Casualty first, Incident incident) {
        Evidence evidence() {
            return first.evidence();
        }

        List<String> kernel() {
            return incident.kernelOf(first.node());
        }
    }

    /** A row of the table. */
    private record Rule(Predicate<Case> condition, Function<Case, Judgement> judgement) {}

    private static final List<Rule> TABLE = List.of(
            new Rule(it -> it.first().has(Kind.STORE_LOST), Rules::storeLost),
            new Rule(it -> it.first().has(Kind.CUT_OFF) || isPartition(it), Rules::partition),
            new Rule(it -> it.first().has(Kind.NODE_LOST), Rules::hostLost),
            new Rule(it -> it.first().has(Kind.AGENT_REPLACED), Rules::agentReplaced),
            new Rule(it -> it.first().has(Kind.NODES_MISSING), Rules::nodesMissing),
            new Rule(it -> KernelLog.xid(it.kernel()).isPresent(), Rules::xid),
            new Rule(it -> it.incident().isKilledForMemory(it.first()), Rules::killedForMemory),
            new Rule(it -> cannotRun(it) != null, Rules::configuration),
            new Rule(it -> it.first().isOutOfHeap() || lacksHeap(it), Rules::outOfHeap),
            new Rule(
                    it -> it.evidence().crash() != null
                            || "SIGSEGV".equals(it.first().signal()),
                    Rules::segfault),
            new Rule(it -> request(it) == Verdict.ABORT || request(it) == Verdict.REPLACE_HOST, Rules::requested),
            new Rule(Rules::isHang, Rules::hang),
            new Rule(it -> it.first().hasRecorded(MONITOR), Rules::monitorLost),
            new Rule(it -> thrownBy(it) != null, Rules::userException),
            new Rule(it -> it.first().isOnlyMissed(), Rules::silent),
            new Rule(it -> it.first().signal() != null, Rules::killed),
            new Rule(it -> it.first().exitCode() != null, Rules::exited),
            new Rule(it -> true, Rules::unknown));

    private Rules() {}

    /** Returns why an incident happened; the last rule takes all. */
    static Judgement judge(Incident incident) {
        Case it = new Case(incident.first(), incident);
        return TABLE.stream()
                .filter(rule -> rule.condition().test(it))
                .findFirst()
                .orElseThrow()
                .judgement()
                .apply(it);
    }

    private static Judgement judgement(
            Case it, Cause cause, String subject, Suggestion suggestion, String why, String... more) {
        List<String> evidence = new ArrayList<>();
        evidence.add(it.first().text());
        MemoryUse memory = it.evidence().memory();
        if (memory != null && !memory.equals(MemoryUse.NONE)) {
            evidence.add("memory: " + memory);
        }
        for (String line : more) {
            if (!line.isEmpty()) {
                evidence.add(line);
            }
        }
        return new Judgement(cause, subject, suggestion, why, evidence);
    }

    private static Judgement storeLost(Case it) {
        return judgement(
                it,
                Cause.STORE_LOST,
                "",
                Suggestion.RESTART,
                "no agent can go on without its store: look at the host of the store first, and host it apart from the"
                        + " ranks with 'resiliency store'");
    }

    private static boolean isPartition(Case it) {
        return it.first().has(Kind.NODE_LOST) && it.incident().nodesLost() > 1;
    }

    private static Judgement partition(Case it) {
        long nodes = it.incident().nodesLost();
        return judgement(
                it,
                Cause.NETWORK_PARTITION,
                nodes > 1 ? nodes + " nodes" : it.first().node(),
                Suggestion.RESTART,
                nodes > 1
                        ? "hosts rarely die at the same moment: look at what they share, such as a switch or a power"
                                + " supply"
                        : "the agent lives, but the store has not heard it: look at the network between them, and"
                                + " whether the host was suspended");
    }

    private static Judgement hostLost(Case it) {
        return judgement(
                it,
                Cause.HOST_LOST,
                it.first().node(),
                Suggestion.EXCLUDE_HOST,
                "its agent is gone with all its processes: it may come back when the host has been looked at");
    }

    private static Judgement agentReplaced(Case it) {
        return judgement(
                it,
                Cause.KILLED,
                "agent of " + it.first().node(),
                Suggestion.RESTART,
                "the node has another agent already: look for who has ended the one before, with all its processes");
    }

    private static Judgement nodesMissing(Case it) {
        return judgement(
                it,
                Cause.NODES_MISSING,
                "",
                Suggestion.RESTART,
                "start an agent on as many hosts as the job needs, or let it do with fewer (--nnodes MIN:MAX)");
    }

    private static Judgement xid(Case it) {
        int number = KernelLog.xid(it.kernel()).orElseThrow();
        boolean isBroken = BROKEN_GPU.contains(number);
        return judgement(
                it,
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
        return judgement(
                it,
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
        return it.evidence().lastLines().stream()
                .filter(line -> CANNOT_START.matcher(line).matches())
                .findFirst()
                .orElse(null);
    }

    private static Judgement configuration(Case it) {
        String what = String.valueOf(cannotRun(it));
        return judgement(
                it,
                Cause.CONFIGURATION,
                "",
                Suggestion.STOP,
                "it would fail in the same way again: correct the command, its class path or its options",
                what.equals(it.first().first().text()) ? "" : what);
    }

    /** A heap that a collection cannot empty leaves time for nothing but collections. */
    private static boolean lacksHeap(Case it) {
        MemoryUse memory = it.evidence().memory();
        boolean isKilled = it.first().signal() != null && !isHang(it);
        return memory != null && !isKilled && (memory.ranOut() || (isHang(it) && memory.isHeapFull()));
    }

    private static boolean isHang(Case it) {
        return it.first().hasRecorded(Casualty.HANGS) || it.first().has(Kind.OVERDUE);
    }

    private static Judgement outOfHeap(Case it) {
        String dump = it.evidence().heapDump();
        return judgement(
                it,
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
            return judgement(
                    it,
                    Cause.SEGFAULT,
                    "",
                    Suggestion.RESTART,
                    "native code has crashed, and no file says which: allow core dumps (ulimit -c unlimited)");
        }
        Long sender = crash.sender();
        return judgement(
                it,
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
        return judgement(
                it,
                Cause.EXITED,
                String.valueOf(it.first().exitCode()),
                isOver ? Suggestion.STOP : Suggestion.EXCLUDE_HOST,
                isOver
                        ? "the program asks not to be started again: what it has printed last may say why"
                        : "the program asks for another host: what it has printed last may say why",
                thrown == null || it.first().text().contains(thrown.toString()) ? "" : thrown.toString());
    }

    private static Judgement hang(Case it) {
        Evidence evidence = it.evidence();
        List<String> sections = evidence.sections();
        String frame = evidence.stack().isEmpty()
                ? Stacks.place(it.first().recorded(Casualty.HANGS))
                : Stacks.place(evidence.stack());
        String where = sections.isEmpty() ? frame : sections.get(sections.size() - 1);
        return judgement(
                it,
                Cause.HANG_IN,
                where.isEmpty() ? it.first().who() : where,
                Suggestion.RESTART,
                "if the same rank hangs again, exclude its host; if another one does, look at the code of that place",
                sections.isEmpty() ? "" : "open sections: " + String.join(" > ", sections),
                evidence.step() == null ? "" : "last step: " + evidence.step(),
                evidence.stack().isEmpty() ? "" : "stack: " + String.join(" < ", evidence.stack()));
    }

    private static Judgement monitorLost(Case it) {
        return judgement(
                it,
                Cause.KILLED,
                "monitor process of " + it.first().who(),
                Suggestion.RESTART,
                "a rank leaves when its monitor process is gone: look for who ends processes on this host");
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
        return judgement(
                it,
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
        return judgement(
                it,
                Cause.HOST_LOST,
                "host of " + it.first().who(),
                Suggestion.RESTART,
                "neither has the process ended nor is its agent gone: it is suspended, or cut off from the store; look"
                        + " at its state on that host");
    }

    private static Judgement killed(Case it) {
        String signal = String.valueOf(it.first().signal());
        return judgement(
                it,
                Cause.KILLED,
                signal,
                Suggestion.RESTART,
                switch (signal) {
                    case "SIGKILL" ->
                        "not by this agent, and nothing that it may read of the kernel speaks of memory: ask the scheduler, or"
                                + " dmesg on that host";
                    case "SIGABRT" -> "a check in native code has failed: its message is in the last lines";
                    case "SIGINT", "SIGTERM", "SIGHUP" -> "not by this agent: somebody, or the scheduler, has ended it";
                    case "SIGBUS" -> "a mapped file has become shorter, or its file system is full";
                    default -> "native code, or another process, has sent it";
                });
    }

    private static Judgement exited(Case it) {
        Integer code = it.first().exitCode();
        return judgement(
                it,
                Cause.EXITED,
                String.valueOf(code),
                Suggestion.RESTART,
                code != null && code == 0
                        ? "the program has ended while the wrapper ran its function: look for what calls System.exit or halt"
                        : "the program has ended by itself: what it has printed last may say why");
    }

    private static Judgement unknown(Case it) {
        return judgement(
                it, Cause.UNKNOWN, "", Suggestion.RESTART, "nothing says that it will happen again: look at the logs");
    }
}
