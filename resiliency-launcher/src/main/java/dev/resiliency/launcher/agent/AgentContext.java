package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentAction.Note;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What all stages of an agent use. Confined to the thread of the agent. */
final class AgentContext {
    private final AgentSettings settings;
    private final LongSupplier clock;
    private final RankSlots slots;
    /** The actions of the current step. */
    private List<AgentAction> actions = new ArrayList<>();

    AgentContext(AgentSettings settings, LongSupplier clock) {
        this.settings = settings;
        this.clock = clock;
        slots = new RankSlots(this);
    }

    AgentSettings settings() {
        return settings;
    }

    /** Returns the processes of the node. */
    RankSlots slots() {
        return slots;
    }

    /** Decides for an action, to be taken after those before. */
    void act(AgentAction action) {
        actions.add(action);
    }

    void note(String line) {
        act(new Note(line));
    }

    /** Returns what was decided since the last call. */
    List<AgentAction> takeActions() {
        List<AgentAction> taken = actions;
        actions = new ArrayList<>();
        return taken;
    }

    long now() {
        return clock.getAsLong();
    }

    /** Returns when so much time has passed. */
    long in(Duration duration) {
        return now() + duration.toNanos();
    }

    boolean isDue(long at) {
        return now() - at >= 0;
    }

    /** Returns how long until then; zero if it is due. */
    Duration until(long at) {
        return Duration.ofNanos(Math.max(0, at - now()));
    }
}
