package dev.resiliency.inprocess.internal;

import static dev.resiliency.inprocess.internal.RestartTimer.millis;

import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator and the listener what happens on this rank: one line each, which make a story. */
final class Announcements {
    private static final Logger LOG = LoggerFactory.getLogger("dev.resiliency.inprocess");

    private final LogPrefix prefix;
    private final RestartListener listener;

    Announcements(LogPrefix prefix, RestartListener listener) {
        this.prefix = prefix;
        this.listener = listener;
    }

    void iterationStarted(State state) {
        prefix.enter(state);
        if (state.iteration() == 0) {
            LOG.info("{} joined a job of {} ranks as {}", prefix, state.worldSize(), role(state));
        }
        tell(each -> each.iterationStarted(state));
    }

    void restarted(RestartReport report) {
        State state = report.state();
        prefix.enter(state);
        LOG.info(
                "{} restarted in {} ms after {}: {}; now {} in a world of {}",
                prefix,
                millis(report.total()),
                report.interruptions(),
                RestartTimer.describe(report.phases()),
                role(state),
                state.worldSize());
        tell(each -> each.restarted(report));
    }

    void completed(State state) {
        LOG.info("{} completed, as all active ranks have", prefix);
        tell(each -> each.completed(state));
    }

    void leaving(State state, Throwable reason) {
        LOG.info("{} leaves the job: {}", prefix, reason.getClass().getName());
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
            LOG.warn("{} the restart listener failed; the restart loop goes on", prefix, thrown);
        }
    }
}
