package dev.resiliency.examples.demo;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where the ranks had their state from in each iteration, and how many steps were lost. */
final class StateOrigins {
    /** By iteration: the worst source of any rank, as {@link Source} orders them. */
    private final NavigableMap<Integer, Source> sources = new TreeMap<>();

    private long stepsLost;

    /**
     * Records that a rank has its state.
     *
     * @param rank what people read for it
     * @param completed the last step that any rank is known to have completed, also one that is gone
     * @return lines about it
     */
    List<String> recovered(String rank, int iteration, DemoEvent.Recovered event, int completed) {
        List<String> lines = new ArrayList<>();
        if (!sources.containsKey(iteration)) {
            long lost = lost(event, completed);
            stepsLost += lost;
            if (!sources.isEmpty()) {
                lines.add(text(event, lost));
            }
        }
        sources.merge(iteration, event.source(), (one, other) -> one.compareTo(other) < 0 ? other : one);
        if (event.source() == Source.PEERS) {
            String senders = event.ranks().size() == 1 ? "rank " + event.ranks().get(0) : "ranks " + event.ranks();
            lines.add("rank %s received the state of step %d from %s".formatted(rank, event.step(), senders));
        }
        return lines;
    }

    /** The ranks do not know what those had completed that are all gone. */
    private static long lost(DemoEvent.Recovered event, int completed) {
        return event.source() == Source.CHECKPOINT
                ? Math.max(event.stepsLost(), completed - event.step())
                : event.stepsLost();
    }

    private static String text(DemoEvent.Recovered event, long lost) {
        if (event.source() != Source.CHECKPOINT) {
            return "on from step %d, which is still in memory: %d steps lost".formatted(event.step(), lost);
        }
        String where = event.step() == 0 ? "the beginning" : "the checkpoint of step " + event.step();
        return "back to %s: %d steps lost".formatted(where, lost);
    }

    /** Returns where the state was from with which the ranks went on after this iteration; null if they did not. */
    @Nullable
    Source after(int iteration) {
        Map.Entry<Integer, Source> next = sources.higherEntry(iteration);
        return next == null ? null : next.getValue();
    }

    /** Returns how many steps had to be repeated. */
    long stepsLost() {
        return stepsLost;
    }
}
