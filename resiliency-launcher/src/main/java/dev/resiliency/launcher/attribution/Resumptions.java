package dev.resiliency.launcher.attribution;

import dev.resiliency.monitor.spi.RankStamps;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds out where the processes of a node go on after a restart: each has stamped where it was, or the process before it has. Confined to
 * the thread of the agent.
 */
final class Resumptions {
    /** Where the last process of each number that has made a step was when it ended. */
    private final Map<Integer, Former> former = new HashMap<>();
    /** What each process that runs had begun when its first step was seen last. */
    private final Map<Integer, Begun> begun = new HashMap<>();

    private boolean areStepsTold;

    /**
     * Where a process was.
     *
     * @param isLeast whether it may have been further: a wrapper notes only now and then how far its function is
     */
    private record Former(long step, boolean isLeast) {}

    /** An iteration of a process; of one without a wrapper, its whole life. */
    private record Begun(long pid, int iteration) {}

    /** Returns whether a process has told a step. */
    boolean areStepsTold() {
        return areStepsTold;
    }

    /** Returns where a process has gone on, if it has since the last look, and it is known where it was before. */
    Optional<Resumption> look(int process, RankStamps stamped) {
        OptionalLong first = stamped.steps().first();
        areStepsTold |= first.isPresent();
        Begun now = new Begun(stamped.pid(), stamped.iteration().orElse(Fact.NONE));
        if (first.isEmpty() || now.equals(begun.put(process, now))) {
            return Optional.empty();
        }
        OptionalLong before = stamped.steps().before();
        Former last = before.isPresent() ? new Former(before.getAsLong(), false) : former.get(process);
        boolean areOthersThere = begun.size() > 1; // they know it exactly
        return Optional.ofNullable(last)
                .filter(known -> !known.isLeast() || !areOthersThere)
                .map(known -> new Resumption(known.step(), first.getAsLong(), known.isLeast()));
    }

    /** A process has ended that had stamped this at last. */
    void ended(int process, RankStamps stamped) {
        begun.remove(process);
        boolean isLeast = stamped.iteration().isPresent();
        stamped.steps().latest().ifPresent(step -> former.put(process, new Former(step, isLeast)));
    }
}
