package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.agent.AgentAction.AskWrapped;
import dev.resiliency.launcher.agent.AgentAction.AwaitFounders;
import dev.resiliency.launcher.agent.AgentAction.CallCycle;
import dev.resiliency.launcher.agent.AgentAction.Promise;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentEvent.CallAnswered;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Founded;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.agent.AgentEvent.Promised;
import dev.resiliency.launcher.agent.AgentEvent.ShowsNothing;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.launcher.rendezvous.CycleCall;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import java.time.Duration;

/** The processes run; one that ends is started again, if the policy says so. */
final class Running extends TakingPart {
    private Running(AgentContext context, int cycle) {
        super(context, cycle);
    }

    /** Starts the ranks of a node that has a seat, and its spare processes once the job is founded. */
    static Running inSeat(AgentContext context, Seat seat) {
        RankSlots slots = context.slots();
        slots.sit(seat);
        for (RankSlot slot : slots.all()) {
            slot.restarts = Math.max(slot.restarts, seat.cycle());
            if (seat.isFounder() && !slot.isSpare) {
                slots.start(slot);
            }
        }
        boolean hasSpares = !seat.isFounder() || context.config().spares() > 0;
        if (hasSpares) {
            context.act(new AwaitFounders(
                    seat.isFounder()
                            ? ""
                            : "this is spare node %d: its processes join when the job is founded"
                                    .formatted(seat.group())));
        }
        return new Running(context, seat.cycle());
    }

    /** Starts all processes of the node again, in the cycle in which they ran. */
    static Running again(AgentContext context, int cycle) {
        RankSlots slots = context.slots();
        slots.all().forEach(slot -> slot.restarts++);
        slots.all().forEach(slots::start);
        return new Running(context, cycle);
    }

    @Override
    AgentStage handle(AgentEvent event) {
        if (event instanceof Founded) {
            slots().all().stream()
                    .filter(slot -> slot.state() == ProcessState.IDLE)
                    .forEach(slots()::start);
            return this;
        } else if (event instanceof Ended ended) {
            return ended(ended);
        }
        if (event instanceof Overdue overdue) {
            overdue(slots().get(overdue.process()), overdue.reason());
            return this;
        }
        if (event instanceof ShowsNothing hung) {
            slots().showsNothing(slots().get(hung.process()));
            return this;
        }
        if (event instanceof CallAnswered answered) {
            if (answered.call() == CycleCall.COMPLETE) {
                startAlone();
            }
            return this;
        }
        if (event instanceof Promised promised) {
            promised(slots().get(promised.process()), promised);
            return this;
        }
        return super.handle(event);
    }

    private void overdue(RankSlot slot, String reason) {
        if (slot.state() == ProcessState.RUNNING) {
            slots().overdue(slot, reason);
        }
    }

    private AgentStage ended(Ended ended) {
        RankSlot slot = slots().get(ended.process());
        if (ended.reason() instanceof Shortage) {
            slots().startLater(slot, ended);
            return this;
        }
        Verdict verdict = slot.overdue.isEmpty() ? ended.end().verdict() : Verdict.FAILED;
        String what = slots().describe(ended, ended.end().description());
        if (verdict == Verdict.COMPLETED) {
            slot.enter(ended.end().hasLeft() ? ProcessState.LEFT : ProcessState.COMPLETED);
            context().note(what);
            return slots().areThrough() ? through() : this;
        }
        slot.enter(ProcessState.IDLE);
        context().act(new Report(JobEvent.Kind.RANK_ENDED, what));
        return switch (verdict) {
            case ABORT -> giveUp(what + ": it asks not to be started again");
            case REPLACE_HOST ->
                Ending.alone(context(), ExitCode.REPLACE_HOST, what + ": it asks to be started on another host");
            case CANNOT_START -> Ending.alone(context(), ended.reason().code(), what);
            default -> failed(slot, slots().uptime(ended), what);
        };
    }

    private AgentStage through() {
        return slots().haveCompleted() ? new Completed(context()) : Ending.whenLeft(context());
    }

    private AgentStage failed(RankSlot slot, Duration uptime, String what) {
        LaunchConfig config = context().config();
        int failures = slot.failed(uptime, config.startupTime());
        if (failures > 0 && failures == config.maxStartupFailures()) {
            return giveUp("%s: it has failed %d times in a row within its first %s"
                    .formatted(what, failures, Durations.format(config.startupTime())));
        }
        Remedy remedy = Remedy.ofFailedRank(config.policy());
        String reason = what + ": " + remedy.reason();
        switch (remedy.kind()) {
            case RESTART_RANK -> {
                slot.enter(ProcessState.ASKING);
                ask(new Target.One(slot.number), failures > 0, reason);
            }
            case RESTART_NODE -> {
                AgentStage regrouping = Regrouping.withNode(context(), cycle());
                ask(new Target.Node(), failures > 0, reason);
                return regrouping;
            }
            default -> {
                slot.enter(ProcessState.ASKING);
                context().act(new CallCycle(cycle() + 1, reason));
            }
        }
        return this;
    }

    /** The others have completed the job, so they do not start again with those that have failed: these find that out. */
    private void startAlone() {
        slots().all().stream()
                .filter(slot -> slot.state() == ProcessState.ASKING)
                .forEach(slot -> context().restart(new Target.One(slot.number)));
    }

    private void ask(Target target, boolean isStartupFailure, String reason) {
        context().note(reason);
        // A process that fails at start-up may have had no time to call its wrapper, and a rank alone leaves nobody who
        // waits.
        if (isStartupFailure || slots().worldSize() == 1) {
            context().restart(target);
        } else {
            context().act(new AskWrapped(target));
        }
        context().health().rankFailed().forEach(context()::act);
    }

    /** The promise comes before the process: whoever waits for a replacement then knows of it at once. */
    @Override
    void restart(Granted granted) {
        if (granted.target() instanceof Target.One one
                && slots().get(one.process()).state() == ProcessState.ASKING) {
            context().act(new Promise(one.process(), granted.number()));
        }
    }

    private void promised(RankSlot slot, Promised promised) {
        if (slot.state() != ProcessState.ASKING) {
            return;
        }
        Duration delay = context().backoff(slot.startupFailures());
        slot.enter(ProcessState.WAITING, context().now(), delay);
        slot.restarts++;
        slot.promise = promised.promise();
        slot.nextStart = restart(promised.number());
        restarts("%s: %s, %s".formatted(slots().nameOf(slot), slot.nextStart, in(delay)));
    }

    @Override
    void nodeGone(String what, Remedy remedy) {
        if (remedy.kind() == Remedy.Kind.RESTART_JOB) {
            context().act(new CallCycle(cycle() + 1, what + ": " + remedy.reason()));
        } else {
            super.nodeGone(what, remedy);
        }
    }
}
