package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentAction.FindMaster;
import dev.resiliency.launcher.agent.AgentEvent.SeatGiven;
import dev.resiliency.launcher.agent.AgentEvent.Seated;

/** The node waits for its seat in a cycle. No process runs. */
final class AwaitingSeat extends TakingPart {
    AwaitingSeat(AgentContext context, int cycle) {
        super(context, cycle);
    }

    @Override
    AgentStage handle(AgentEvent event) {
        // A node that comes late finds the job in a later cycle.
        if (event instanceof SeatGiven given && given.seat().cycle() >= cycle()) {
            context().act(new FindMaster(given.seat()));
            return this;
        } else if (event instanceof Seated seated && seated.seat().cycle() >= cycle()) {
            return Running.inSeat(context(), seated.seat());
        }
        return super.handle(event);
    }
}
