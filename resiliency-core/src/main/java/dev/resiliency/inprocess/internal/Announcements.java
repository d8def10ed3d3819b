package dev.resiliency.inprocess.internal;

import static dev.resiliency.inprocess.internal.RestartTimer.millis;

import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.rank.World;
import java.util.function.Consumer;
import org.slf4j.Logger;

/** Tells the operator and the listener what happens on this rank: one line each, which make a story. */
final class Announcements {
    private final Logger log;
    private final LogPrefix prefix;
    private final RestartListener listener;

    Announcements(Logger log, LogPrefix prefix, RestartListener listener) {
        this.log = log;
        this.prefix = prefix;
        this.listener = listener;
    }

    LogPrefix prefix() {
        return prefix;
    }

    void iterationStarted(State state) {
        prefix.enter(state);
        if (state.iteration() == 0) {
            log.info("{} joined a job of {} ranks as {}", prefix, state.worldSize(), role(state));
        }
        tell(each -> each.iterationStarted(state));
    }

    void failed(Throwable thrown) {
        log.warn("{} the function failed; all ranks restart", prefix, thrown);
    }

    void restarted(RestartReport report) {
        State state = report.state();
        prefix.enter(state);
        log.info(
                "{} restarted in {} ms after {}: {}; now {} in a world of {}",
                prefix,
                millis(report.total()),
                report.interruptions(),
                RestartTimer.describe(report.phases()),
                role(state),
                state.worldSize());
        tell(each -> each.restarted(report));
    }

    /** Tells why this rank has another role than before; nothing if the text is empty. */
    void roleChanged(String change) {
        if (!change.isEmpty()) {
            log.info("{} {}", prefix, change);
        }
    }

    /** Tells what this rank, as the leader, has decided for all. */
    void assigned(int k, World before, World after) {
        log.debug("{} assigns the ranks of iteration {}:{}", prefix, k, new WorldTable(before, after));
    }

    void completed(State state) {
        log.info("{} completed, as all active ranks have", prefix);
        tell(each -> each.completed(state));
    }

    void leaving(State state, Throwable reason) {
        log.info("{} leaves the job: {}", prefix, reason.getClass().getName());
        tell(each -> each.leaving(state, reason));
    }

    private static String role(State state) {
        return state.isActive()
                ? "active rank " + state.activeRank() + " of " + state.activeWorldSize()
                : "reserve behind " + state.activeWorldSize() + " active ranks";
    }

    @SuppressWarnings("CatchingUnchecked") // a listener is told, not asked: whatever it throws changes nothing
    private void tell(Consumer<RestartListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable thrown) {
            log.warn("{} the restart listener failed; the restart loop goes on", prefix, thrown);
        }
    }
}
