package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import dev.resiliency.launcher.log.OutputTail;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.Exited;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ExitReason.Signalled;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.MemoryUse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process of this node that has ended.
 *
 * @param name what its agent calls it: {@code rank 3}
 * @param rank {@link Fact#NONE} for a spare process
 * @param member by which number the job knows it; {@link Fact#NONE} if that is not known
 * @param pid 0 if it could not be started
 * @param memory how full its memory was, as it has stamped
 * @param tail what it has printed last; null if it has not printed to its agent
 */
record EndedProcess(
        String name,
        int rank,
        int member,
        long pid,
        RankEnd end,
        MemoryUse memory,
        @Nullable OutputTail tail) {

    /** Returns the fact without evidence. */
    Fact fact(int cycle, long time, String node) {
        ExitReason reason = end.reason();
        boolean isRequest = end.verdict() == Verdict.ABORT; // also by a code that is that of a signal otherwise
        return new Fact(
                0,
                reason instanceof NotStarted ? Kind.NOT_STARTED : Kind.PROCESS_ENDED,
                cycle,
                time,
                node,
                name,
                rank,
                member,
                pid,
                end.description(),
                reason instanceof Exited || isRequest ? (Integer) reason.code() : null,
                reason instanceof Signalled signalled && !isRequest ? signalled.name() : null,
                false,
                end.hasGivenUp() ? end.part().name() : null,
                null,
                List.of(),
                Evidence.NONE,
                null);
    }
}
