package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Leader;
import dev.resiliency.inprocess.internal.protocol.Member;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.util.function.IntConsumer;

/**
 * The state that all stages of one rank share.
 *
 * @param onIteration receives the number of each iteration before it starts
 */
record LoopContext<R>(
        Environment environment,
        RankAssignment rankAssignment,
        Timings timings,
        Member member,
        Leader leader,
        UserCode<R> userCode,
        Clock clock,
        Waker waker,
        IntConsumer onIteration,
        Announcements announcements,
        Departure departure,
        Supervision supervision,
        TerminatedRanks terminated,
        BackOff backOff) {

    Stopwatch startStopwatch() {
        return new Stopwatch(clock);
    }
}
