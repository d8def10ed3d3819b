package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.process.NumaBinding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a node run.
 *
 * @param ranks how many of them are ranks; the others are spares, each for one of these
 * @param binding to the NUMA node of its GPU; null if processes are not bound
 */
record RankCommand(List<String> words, int ranks, @Nullable NumaBinding binding) {
    /** Returns the command of a process. */
    List<String> of(int process) {
        return binding == null ? words : binding.wrap(process % ranks, words);
    }
}
