package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.HealthAction.Arrive;
import dev.resiliency.launcher.agent.HealthAction.AwaitSeat;
import dev.resiliency.launcher.agent.HealthAction.Check;
import dev.resiliency.launcher.agent.HealthAction.Leave;
import dev.resiliency.launcher.agent.HealthAction.MarkHealthy;
import dev.resiliency.launcher.agent.HealthAction.MarkUnhealthy;
import dev.resiliency.launcher.agent.HealthAction.Say;
import dev.resiliency.launcher.health.HealthWatch;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.NodeSession;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Does what {@link NodeHealth} decides: runs the checks beside the agent, and admits its node to the job. Confined to its thread. */
final class HealthKeeper implements AutoCloseable {
    private final NodeHealth health;
    private final HealthWatch watch;
    private final NodeSession session;
    private final LauncherLog log;
    private final Executor agent;
    private final Consumer<String> unhealthy;

    /**
     * Creates the keeper of a node.
     *
     * @param agent runs a task on the thread of the agent, later
     * @param unhealthy receives why this node is to leave
     */
    HealthKeeper(
            NodeHealth health,
            HealthWatch watch,
            NodeSession session,
            LauncherLog log,
            Executor agent,
            Consumer<String> unhealthy) {
        this.health = health;
        this.watch = watch;
        this.session = session;
        this.log = log;
        this.agent = agent;
        this.unhealthy = unhealthy;
    }

    /** Lets the node arrive when it is healthy. */
    void begin() {
        perform(health.begin());
    }

    /** Lets the node wait for its seat in a cycle when it is healthy. */
    void awaitSeat(int cycle) {
        perform(health.awaitSeat(cycle));
    }

    /** Looks whether the host is why a rank has failed. */
    void rankFailed() {
        perform(health.rankFailed());
    }

    /** The agent ends. */
    void leave() {
        health.leave();
    }

    Optional<Duration> untilTick() {
        return health.untilTick();
    }

    void tick() {
        perform(health.tick());
    }

    private void perform(List<HealthAction> actions) {
        for (HealthAction action : actions) {
            if (action instanceof Check) {
                watch.check(findings -> agent.execute(() -> perform(health.checked(findings))));
            } else if (action instanceof Arrive) {
                session.arrive();
            } else if (action instanceof AwaitSeat seat) {
                session.awaitSeat(seat.cycle());
            } else if (action instanceof Say say) {
                log.line(say.line());
            } else if (action instanceof MarkHealthy) {
                session.markHealthy();
            } else if (action instanceof MarkUnhealthy mark) {
                session.markUnhealthy(mark.problem());
            } else if (action instanceof Leave leave) {
                unhealthy.accept(leave.reason());
            }
        }
    }

    /** Ends the checks that run. */
    @Override
    public void close() {
        watch.close();
    }
}
