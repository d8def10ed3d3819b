package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentAction.AwaitMemory;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.MemoryFree;
import dev.resiliency.launcher.process.ProcessState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** All processes of the node end, and start again: alone, or with the whole job in a new cycle. */
final class Regrouping extends TakingPart {
    private final boolean isOfJob;
    /** When they start again, on the agent's clock; null while that is not granted. */
    private @Nullable Long startsAt;

    private Reclaim reclaim;

    /** Whether the memory of the GPUs is waited for. */
    private enum Reclaim {
        /** It will be, when all processes have ended. */
        DUE,
        /** It is. */
        RUNNING,
        /** It is not, or not any more. */
        DONE
    }

    private Regrouping(AgentContext context, int cycle, boolean isOfJob) {
        super(context, cycle);
        this.isOfJob = isOfJob;
        reclaim = context.reclaimsMemory() ? Reclaim.DUE : Reclaim.DONE;
        slots().stopAll(Ending.TERMINATE, "all processes of this node start again");
    }

    /** The processes of this node start again in the same cycle, once that is granted. */
    static Regrouping withNode(AgentContext context, int cycle) {
        return new Regrouping(context, cycle, false);
    }

    /** The processes of all nodes start again in a new cycle. */
    static Regrouping withJob(AgentContext context, int cycle, String reason) {
        context.note("cycle %d: %s".formatted(cycle, reason));
        Regrouping regrouping = new Regrouping(context, cycle, true);
        regrouping.startsAt = context.in(context.slots().delay());
        return regrouping;
    }

    @Override
    void restart(Granted granted) {
        if (granted.target() instanceof Target.Node && !isOfJob) {
            Duration delay = slots().delay();
            startsAt = context().in(delay);
            restarts("all ranks of this node: %s, %s".formatted(restart(granted.number()), in(delay)));
        }
    }

    @Override
    AgentStage handle(AgentEvent event) {
        if (event instanceof MemoryFree free) {
            if (reclaim == Reclaim.RUNNING) {
                reclaim = Reclaim.DONE;
                context().note(free.note());
            }
            return this;
        }
        return super.handle(event);
    }

    @Override
    public @Nullable AgentStage next() {
        if (slots().anyIsAlive()) {
            return null;
        }
        if (reclaim == Reclaim.DUE) {
            reclaim = Reclaim.RUNNING;
            context().act(new AwaitMemory());
        }
        if (reclaim != Reclaim.DONE || startsAt == null || !context().isDue(startsAt)) {
            return null;
        }
        slots().all().forEach(slot -> slot.enter(ProcessState.IDLE));
        if (!isOfJob) {
            return Running.again(context(), cycle());
        }
        context().health().awaitSeat(cycle()).forEach(context()::act);
        return new AwaitingSeat(context(), cycle());
    }

    /** While processes run, their ends are what a new start waits for, and then the memory that they held. */
    @Override
    public @Nullable Long deadline() {
        return reclaim != Reclaim.DONE || slots().anyIsAlive() ? null : startsAt;
    }
}
