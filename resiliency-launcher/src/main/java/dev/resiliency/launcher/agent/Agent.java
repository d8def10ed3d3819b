package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.agent.AgentAction.AskRestart;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentEvent.Begun;
import dev.resiliency.launcher.agent.AgentEvent.CallAnswered;
import dev.resiliency.launcher.agent.AgentEvent.Checked;
import dev.resiliency.launcher.agent.AgentEvent.EndAdvised;
import dev.resiliency.launcher.agent.AgentEvent.ProgressShared;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.agent.AgentEvent.Wrapped;
import dev.resiliency.launcher.rendezvous.CycleCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Decides what becomes of the processes of a node: takes what happens, and returns what to do and why. Goes from one {@link
 * AgentStage} to the next, acts in no other way, and never waits. Confined to one thread.
 */
final class Agent {
    /** How many steps a defect shows. */
    private static final int HISTORY = 12;

    private final AgentContext context;
    private final Deque<AgentStep> history = new ArrayDeque<>();
    private AgentStage stage;
    private NodeState state;

    /** Creates an agent whose clock is {@link System#nanoTime}, or stands for it. */
    Agent(AgentSettings settings, NodeHealth health, LongSupplier clock) {
        context = new AgentContext(settings, health, clock);
        stage = new AwaitingSeat(context, 0);
        state = read();
    }

    /** Returns the node as it is after the latest step. */
    NodeState state() {
        return state;
    }

    private NodeState read() {
        return new NodeState(
                stage.getClass().getSimpleName(),
                context.cycle(),
                context.slots().seat(),
                context.slots().read());
    }

    /** Returns how long until {@link Tick} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        Stream<Duration> ofStages = Stream.concat(
                        Stream.ofNullable(stage.deadline()), context.slots().deadlines())
                .map(context::until);
        return Stream.concat(ofStages, context.health().untilTick().stream()).min(Duration::compareTo);
    }

    /**
     * Decides about an event.
     *
     * @throws IllegalStateException if it cannot happen now; says what has happened before
     */
    AgentStep on(AgentEvent event) {
        try {
            handleInAnyStage(event);
            stage = stage.on(event);
            for (AgentStage next = stage.next(); next != null; next = stage.next()) {
                stage = next;
            }
        } catch (RuntimeException defect) {
            throw new IllegalStateException(
                    "%s cannot be handled in %s; the steps before: %s".formatted(event, state.stage(), history),
                    defect);
        }
        AgentStep step = new AgentStep(event, state, context.takeActions(), read());
        state = step.after();
        history.add(step);
        if (history.size() > HISTORY) {
            history.remove();
        }
        return step;
    }

    private void handleInAnyStage(AgentEvent event) {
        if (event instanceof Begun) {
            context.health().begin().forEach(context::act);
        } else if (event instanceof Started started) {
            context.slots().hasStarted(started.process(), started.pid());
        } else if (event instanceof Tick) {
            context.slots().tick();
            context.health().tick().forEach(context::act);
        } else if (event instanceof Checked checked) {
            context.health().checked(checked.findings()).forEach(context::act);
        } else if (event instanceof EndAdvised advised) {
            context.act(new EndJob(ExitCode.DO_NOT_RESTART, advised.reason()));
        } else if (event instanceof Wrapped wrapped && wrapped.isWrapped()) {
            context.restart(wrapped.target());
        } else if (event instanceof CallAnswered answered && answered.call() == CycleCall.FIRST) {
            context.restart(new Target.Job());
        } else if (event instanceof ProgressShared shared
                && context.problemOf(shared.progress()).isEmpty()) {
            context.act(new AskRestart(shared.target()));
        }
    }
}
