package dev.resiliency.launcher.attribution;

import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.Beginning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out where the processes of a node go on after a restart: each has stamped where it was, or the process before it has. Confined to
 * the thread of the agent.
 */
final class Resumptions {
    /** Where the last process of each number that has made a step was when it ended. */
    private final Map<Integer, Former> former = new HashMap<>();
    /** What each process that runs has begun last. */
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

    /** Returns where a process has gone on after each restart since the last look, as far as it is known where it was before. */
    List<Resumption> look(int cycle, int process, RankStamps stamped) {
        List<Resumption> resumed = new ArrayList<>();
        for (Beginning beginning : stamped.beginnings()) {
            areStepsTold = true;
            Begun now = new Begun(stamped.pid(), beginning.iteration());
            Begun last = begun.get(process);
            if (last != null && last.pid() == now.pid() && last.iteration() >= now.iteration()) {
                continue;
            }
            begun.put(process, now);
            Former before = beginning.before().isPresent()
                    ? new Former(beginning.before().getAsLong(), false)
                    : former.get(process);
            boolean areOthersThere = begun.size() > 1; // they know it exactly
            if (before != null && !(before.isLeast() && areOthersThere)) {
                resumed.add(new Resumption(
                        cycle, beginning.iteration(), before.step(), beginning.first(), before.isLeast()));
            }
        }
        return resumed;
    }

    /** A process has ended that had stamped this at last. */
    void ended(int process, RankStamps stamped) {
        begun.remove(process);
        boolean isLeast = stamped.iteration().isPresent();
        stamped.latest().ifPresent(step -> former.put(process, new Former(step, isLeast)));
    }
}
