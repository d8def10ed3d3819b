package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentEvent.Begun;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Brings an {@link Agent} what happens, has what it decides observed, and then performed. Confined to the thread that runs it,
 * which also starts the processes: they end with it.
 *
 * @param observers in this order
 */
record AgentLoop(Agent agent, AgentInbox inbox, NodeEffects effects, List<Observer> observers) {
    /** Nothing is due, but a wait has a limit. */
    private static final Duration LONG = Duration.ofHours(1);

    /**
     * Runs the agent until its end. Whatever is thrown on this thread ends the agent: it could not know what it has missed.
     *
     * @throws InterruptedException if this thread is interrupted
     */
    Exit run() throws InterruptedException {
        try {
            inbox.add(new Begun());
            step();
            while (effects.exit() == null) {
                if (!inbox.runTask(untilDue())) {
                    effects.tick();
                    inbox.add(new Tick());
                }
                step();
            }
            return effects.exit();
        } catch (RuntimeException | Error e) {
            effects.abandon();
            return new Exit(ExitCode.FAILED, "this agent has failed, by a defect of its own: " + traceOf(e));
        }
    }

    private void step() {
        for (AgentEvent event = inbox.poll(); event != null && effects.exit() == null; event = inbox.poll()) {
            AgentStep step = agent.on(event);
            observers.forEach(observer -> observer.observe(step));
            step.actions().forEach(action -> action.perform(effects));
        }
        observers.forEach(Observer::look);
    }

    private Duration untilDue() {
        return Stream.concat(
                        Stream.of(agent.untilTick(), effects.untilTick()),
                        observers.stream().map(Observer::untilLook))
                .flatMap(Optional::stream)
                .min(Duration::compareTo)
                .orElse(LONG);
    }

    private static String traceOf(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString().strip();
    }
}
