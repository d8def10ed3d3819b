package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.agent.AgentAction.AskRestart;
import dev.resiliency.launcher.agent.AgentAction.Note;
import dev.resiliency.launcher.agent.AgentAction.ShareProgress;
import dev.resiliency.launcher.monitor.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What all stages of an agent use. Confined to the thread of the agent. */
final class AgentContext {
    private final AgentSettings settings;
    private final LongSupplier clock;
    private final NodeHealth health;
    private final RankSlots slots;
    private int cycle;
    /** The actions of the current step. */
    private List<AgentAction> actions = new ArrayList<>();

    AgentContext(AgentSettings settings, NodeHealth health, LongSupplier clock) {
        this.settings = settings;
        this.health = health;
        this.clock = clock;
        slots = new RankSlots(this);
    }

    LaunchConfig config() {
        return settings.config();
    }

    /** Returns whether processes that all start again wait until the memory of the GPUs is free. */
    boolean reclaimsMemory() {
        return settings.reclaimsMemory();
    }

    /** Returns how long to wait before a process starts again that has failed so many times in a row at start-up. */
    Duration backoff(int startupFailures) {
        return settings.backoff().apply(startupFailures);
    }

    /** Returns the processes of the node. */
    RankSlots slots() {
        return slots;
    }

    NodeHealth health() {
        return health;
    }

    /** Returns the cycle in which the node takes part, or has last. */
    int cycle() {
        return cycle;
    }

    void enter(int newCycle) {
        cycle = newCycle;
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

    /** Asks for a restart, once it is known that the job gets on. */
    void restart(Target target) {
        act(
                config().monitor().maxNoProgressCycles() == 0
                        ? new AskRestart(target)
                        : new ShareProgress(target, slots.wordFor(target)));
    }

    /** Returns why a job that has got so far is to end; empty if it is not. */
    String problemOf(String progress) {
        return Progress.problem(progress, config().monitor().maxNoProgressCycles());
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
