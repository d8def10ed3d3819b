package dev.resiliency.launcher.agent;

import java.util.List;

/** What an {@link Agent} has decided about an event. The actions are still to be performed, in this order. */
record AgentStep(AgentEvent event, NodeState before, List<AgentAction> actions, NodeState after) {
    /** Returns it as a line: {@code Running + Founded[] -> Running [Start[…]]}. */
    @Override
    public String toString() {
        return "%s + %s -> %s %s".formatted(before.stage(), event, after.stage(), actions);
    }
}
