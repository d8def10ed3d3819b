package dev.resiliency.launcher.process;

import dev.resiliency.launcher.process.ExitReason.NotStarted;
import java.util.Set;

/** What the end of a process means for whoever has started it. */
public enum Verdict {
    /** The process has done its work. */
    COMPLETED,
    /** The process asks that nobody starts it again: exit code 93, or 130 of {@code RestartAbort}. */
    ABORT,
    /** The process asks for another host: exit code 94. */
    REPLACE_HOST,
    /** There is no such command, or it cannot be executed: it would fail again. */
    CANNOT_START,
    /** Anything else: another process may succeed. */
    FAILED;

    private static final int DO_NOT_RESTART = 93;
    private static final int ANOTHER_HOST = 94;
    /** Of nvidia-resiliency-ext's {@code RestartAbort}, and of a process that Ctrl-C has ended. */
    private static final int RESTART_ABORT = 130;

    /** The exit codes after which a process is not started again, by default: it has completed, or asks for that. */
    public static final Set<Integer> CLEAN_EXIT_CODES = Set.of(0, DO_NOT_RESTART, RESTART_ABORT);

    /** Judges an end. */
    public static Verdict of(ExitReason reason) {
        return switch (reason.code()) {
            case 0 -> COMPLETED;
            case DO_NOT_RESTART, RESTART_ABORT -> ABORT;
            case ANOTHER_HOST -> REPLACE_HOST;
            case NotStarted.NOT_EXECUTABLE, NotStarted.NOT_FOUND -> CANNOT_START;
            default -> FAILED;
        };
    }

    /** Judges an end after which a process is started again, unless its exit code is one of these. */
    public static Verdict of(ExitReason reason, Set<Integer> cleanExitCodes) {
        Verdict verdict = of(reason);
        boolean isClean = cleanExitCodes.contains(reason.code());
        return switch (verdict) {
            case COMPLETED, ABORT -> isClean ? verdict : FAILED;
            case FAILED -> isClean ? COMPLETED : FAILED;
            case REPLACE_HOST, CANNOT_START -> verdict;
        };
    }

    /** Returns what happened, as {@link ExitReason#description} does, but for 130 the exit code that it then is. */
    public static String describe(ExitReason reason) {
        return reason.code() == RESTART_ABORT
                ? "exited with code %d (RestartAbort)".formatted(RESTART_ABORT)
                : reason.description();
    }
}
