package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Decides what becomes of the processes of a node: takes what happens, and returns what to do and why. Goes from one {@link
 * AgentStage} to the next, acts in no other way, and never waits. Confined to one thread.
 */
final class Agent {
    /** Stands for all processes of the node. */
    static final int WHOLE_NODE = -1;

    /** Stands for all processes of the job. */
    static final int WHOLE_JOB = -2;

    private final AgentContext context;
    private AgentStage stage;

    /** Creates an agent whose clock is {@link System#nanoTime}, or stands for it. */
    Agent(AgentSettings settings, LongSupplier clock) {
        context = new AgentContext(settings, clock);
        stage = new AwaitingSeat(context, 0);
    }

    /** Returns the processes of the node. */
    RankSlots slots() {
        return context.slots();
    }

    /** Returns how long until {@link Tick} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        return Stream.concat(
                        Stream.ofNullable(stage.deadline()), context.slots().deadlines())
                .map(context::until)
                .min(Duration::compareTo);
    }

    /** Returns what to do about an event, in this order. */
    List<AgentAction> on(AgentEvent event) {
        if (event instanceof Started started) {
            context.slots().hasStarted(context.slots().get(started.process()), started.pid());
        } else if (event instanceof Tick) {
            context.slots().tick();
        }
        stage = stage.on(event);
        for (AgentStage next = stage.next(); next != null; next = stage.next()) {
            stage = next;
        }
        return context.takeActions();
    }
}
