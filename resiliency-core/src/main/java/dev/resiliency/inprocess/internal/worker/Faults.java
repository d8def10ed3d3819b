package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.HealthCheckException;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.MonitorProcessException;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.log.ThrownText;
import dev.resiliency.inprocess.internal.settings.CannotRunException;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Decides what a throwable means for the rank on which it was thrown. */
public final class Faults {
    private Faults() {}

    /** Returns whether what a worker threw makes its rank leave; anything else restarts all ranks. */
    public static boolean endsRank(Throwable thrown) {
        return thrown instanceof RestartAbort
                || thrown instanceof HealthCheckException
                // A stack overflow leaves the virtual machine intact; after the others nothing can be relied upon.
                || (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError));
    }

    /**
     * Returns whether a function that was stopped had thrown this before, and was cleaning up: what stops it ended the cleanup, and is
     * suppressed. Communication that is aborted throws exceptions of its own, also where resources are closed.
     */
    public static boolean isFromBeforeTheStop(Throwable thrown) {
        return thrown.getSuppressed().length > 0 && !isOfTheStop(thrown);
    }

    /** Returns whether a function may throw this just because it is stopped. */
    public static boolean isOfTheStop(Throwable thrown) {
        return thrown instanceof IOException
                || thrown instanceof InterruptedException
                || thrown instanceof RestartSignal
                || thrown instanceof ResiliencyException
                || thrown instanceof StoreException;
    }

    /** Returns whether it, or what has caused it, says that a class or a native library is missing or does not fit. */
    public static boolean isOfLinkage(Throwable thrown) {
        return ThrownText.withCauses(thrown).stream().anyMatch(LinkageError.class::isInstance);
    }

    /** Returns why a rank leaves whose function has failed with this so many times in a row, and will again. */
    public static ResiliencyException inVain(int failures, @Nullable Throwable thrown) {
        return new ResiliencyException(
                "the function has failed %d times in a row without coming further, and would again: a class or native library is missing or of another version (%s). Mend the class path, and start this process again"
                        .formatted(failures, thrown == null ? "" : ThrownText.of(thrown)),
                thrown);
    }

    /** Returns the kind under which what a function has thrown is reported to the others. */
    public static Interruption.Kind kindOf(Throwable thrown) {
        return LostConnection.isCauseOf(thrown) ? Interruption.Kind.CONNECTION_LOST : Interruption.Kind.EXCEPTION;
    }

    /** Returns whether a health check or a finalize hook has found this rank unfit. */
    public static boolean isVerdictOnHealth(Throwable thrown) {
        return thrown instanceof HealthCheckException;
    }

    /** Returns the text of a throwable for other ranks. */
    public static String textOf(Throwable thrown) {
        return thrown instanceof LeavingOnPurpose leaving ? leaving.why() : ThrownText.of(thrown);
    }

    /**
     * Returns why a rank leaves, for its log: of this library's own exceptions only the message, which is
     * self-explanatory.
     */
    public static String reasonOf(Throwable leaving) {
        boolean saysAll = leaving instanceof ResiliencyException
                || leaving instanceof StoreException
                || leaving instanceof RestartAbort
                || leaving instanceof InterruptedException;
        String message = saysAll ? ThrownText.messageOf(leaving) : null;
        return message == null ? textOf(leaving) : message;
    }

    /** Returns why a rank leaves whose restart loop, or whose caller's thread, has thrown this. */
    public static ResiliencyException whyItCannotGoOn(Throwable thrown) {
        if (thrown instanceof ResiliencyException saysAll) {
            return saysAll;
        }
        if (thrown instanceof OutOfMemoryError error) {
            String whatToDo = Threads.isRefusal(error) ? Threads.WHAT_TO_DO : "give its JVM a larger heap (-Xmx)";
            return new ResiliencyException(
                    "this rank is out of memory (" + thrown.getMessage() + "), so it leaves: " + whatToDo, thrown);
        }
        return new ResiliencyException("the restart loop failed; this is a defect of the library", thrown);
    }

    /**
     * Returns the reason of a rank whose caller's thread has thrown this. Where memory has run out, the JVM throws one and the same
     * error again and again, and a try statement that closes what it has opened then fails, as an error cannot suppress itself.
     */
    public static Throwable reasonBehind(Throwable thrown) {
        return thrown instanceof IllegalArgumentException && thrown.getCause() instanceof OutOfMemoryError error
                ? whyItCannotGoOn(error)
                : thrown;
    }

    /** Returns the kind under which a rank's departure is reported to the others. */
    public static Interruption.Kind kindOfLeaving(Throwable reason) {
        if (reason instanceof LeavingOnPurpose) {
            return Interruption.Kind.LEAVING;
        }
        if (reason instanceof MonitorProcessException) {
            return reason.getCause() instanceof CannotRunException
                    ? Interruption.Kind.CANNOT_RUN
                    : Interruption.Kind.MONITOR_PROCESS_LOST;
        }
        return Interruption.Kind.TERMINATED_BY_RANK;
    }

    /**
     * Returns whether a rank that leaves for this reason can and must notify the others: not if it learned the reason
     * from them.
     */
    public static boolean isNewsToOthers(Throwable reason) {
        return !(reason instanceof StoreLostException
                || reason instanceof SessionExpiredException
                || reason instanceof RankFencedException
                || reason instanceof RankDiscardedException);
    }
}
