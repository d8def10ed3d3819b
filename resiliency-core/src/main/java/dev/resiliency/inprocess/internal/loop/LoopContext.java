package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission.Kind;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.FirstSteps;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.Joiner;
import dev.resiliency.inprocess.internal.protocol.Leader;
import dev.resiliency.inprocess.internal.protocol.Member;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.protocol.SafePoints;
import dev.resiliency.inprocess.internal.refound.Succession.Moved;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.worker.UserCode;
import java.util.function.Consumer;

/**
 * The state that all stages of one rank share.
 *
 * @param store this rank's view of the job
 * @param onIteration receives this rank's part in each iteration before it starts
 */
record LoopContext<R>(
        RestartStore store,
        Assignment assignment,
        Elasticity elasticity,
        Timings timings,
        UserCode<R> userCode,
        Clock clock,
        Waker waker,
        Consumer<State> onIteration,
        Announcements announcements,
        Departure departure,
        Voter voter,
        Supervision supervision,
        TerminatedRanks terminated,
        Newcomers newcomers,
        Leavers leavers,
        LeaveRequest leaveRequest,
        SafePointMargin margin,
        BackOff backOff,
        Probation probation,
        AdmissionPause admissionPause,
        LeftThreads leftThreads) {

    Identity identity() {
        return store.identity();
    }

    Member member() {
        return store.member();
    }

    Joiner joiner() {
        return store.joiner();
    }

    Leader leader() {
        return store.leader();
    }

    SafePoints safePoints() {
        return store.safePoints();
    }

    FirstSteps firstSteps() {
        return store.firstSteps();
    }

    /** Goes on with the store that the survivors have founded. */
    LoopContext<R> moveTo(Moved moved) {
        RestartStore next = moved.store();
        StoreHost host = StoreHost.of(next);
        LoopContext<R> there = new LoopContext<>(
                next,
                assignment,
                elasticity,
                timings,
                userCode,
                clock,
                waker,
                onIteration,
                announcements,
                departure,
                voter,
                supervision,
                TerminatedRanks.of(next.identity().rank(), departure, host, waker),
                new Newcomers(next.leader(), waker::wake),
                new Leavers(next.safePoints(), waker::wake),
                leaveRequest,
                margin,
                backOff,
                probation,
                admissionPause,
                leftThreads);
        departure.moveTo(next.terminations(), host);
        voter.move(moved);
        there.member().watchHost(why -> departure.hostEnds(host, why));
        there.member().watchTerminated(there.terminated());
        announcements.moved(moved.founded().seat(), moved.founded().term().number());
        return there;
    }

    /** Returns a number that changes whenever somebody has come or gone: a decision about who joins may then be another. */
    int versionOfWorld() {
        return newcomers.version() + terminated.all().size();
    }

    /** Returns whether processes that come later may join the job. */
    boolean admitsJoiners() {
        return elasticity.admission().kind() != Kind.NEVER;
    }

    /** Returns whether those who wait to join are kept waiting, since too many have died soon after their admission. */
    boolean pausesAdmission() {
        if (admissionPause.look(terminated.all())) {
            announcements.pausesAdmission(admissionPause);
        }
        return admissionPause.isOn();
    }

    Stopwatch startStopwatch() {
        return new Stopwatch(clock);
    }
}
