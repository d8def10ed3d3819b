package dev.resiliency.examples.bench.chaos;

import java.util.HashSet;
import java.util.Set;

/**
 * Accounts for processes that a job has admitted, and that were killed before they could say by which number. Each such
 * number must belong to one of them. Pure data.
 */
final class LostJoiners {
    /** The number of a process in its generation. */
    private record Numbered(int generation, int number) {}

    private final Set<Numbered> admitted = new HashSet<>();
    private final Set<Numbered> unaccounted = new HashSet<>();

    /** Records that a restart has admitted this number. */
    void admitted(int generation, int number) {
        admitted.add(new Numbered(generation, number));
    }

    /**
     * Returns whether a number that no process has reported may belong to one that was lost.
     *
     * @param lost the number of processes that were lost before they started any iteration
     */
    boolean mayBe(int generation, int number, int lost) {
        Numbered unknown = new Numbered(generation, number);
        if (!admitted.contains(unknown)) {
            return false;
        }
        unaccounted.add(unknown);
        return unaccounted.size() <= lost;
    }
}
