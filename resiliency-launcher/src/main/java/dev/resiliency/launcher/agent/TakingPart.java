package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.RestartPolicy;
import dev.resiliency.launcher.agent.AgentAction.CallCycle;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentAction.LetGo;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.agent.AgentEvent.Checked;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.Notified;
import dev.resiliency.launcher.agent.AgentEvent.ProgressShared;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.WentOn;
import dev.resiliency.launcher.agent.AgentEvent.Wrapped;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.rendezvous.JobEvent;
import java.time.Duration;

/** The node takes part in the job, in a cycle of it. */
abstract sealed class TakingPart implements AgentStage permits AwaitingSeat, Running, Regrouping {
    private final AgentContext context;

    TakingPart(AgentContext context, int cycle) {
        this.context = context;
        context.enter(cycle);
    }

    final AgentContext context() {
        return context;
    }

    final RankSlots slots() {
        return context.slots();
    }

    final int cycle() {
        return context.cycle();
    }

    @Override
    public final AgentStage on(AgentEvent event) {
        if (event instanceof StopAsked asked) {
            slots().warnOfDrain();
            return Ending.onSignal(context, asked.signal());
        } else if (event instanceof Notified notified) {
            slots().pass(notified.signal());
            return this;
        } else if (event instanceof JobEnded job) {
            return new Ending(context, job.code(), "the job has ended: " + job.reason());
        } else if (event instanceof Drained drained) {
            slots().warnOfDrain();
            return Ending.alone(
                    context, ExitCode.COMPLETED, "this node leaves the job (%s)".formatted(drained.reason()));
        } else if (event instanceof Checked) {
            String problem = context.health().problem();
            return problem.isEmpty() ? this : Ending.alone(context, ExitCode.REPLACE_HOST, problem);
        } else if (event instanceof Asked asked) {
            return asked(slots().nameOf(slots().get(asked.process())), asked);
        } else if (event instanceof ProgressShared shared) {
            String problem = context.problemOf(shared.progress());
            return problem.isEmpty() ? this : giveUp(problem);
        } else if (event instanceof Failed failed) {
            return failed(failed);
        } else if (event instanceof WentOn went) {
            slots().letGo(went.processes());
            return new Ending(context, ExitCode.FAILED, went.why());
        } else if (event instanceof CycleCalled called) {
            return called(called);
        } else if (event instanceof Wrapped wrapped && !wrapped.isWrapped()) {
            context.act(new CallCycle(
                    cycle() + 1,
                    "no rank has called a Wrapper, without which the others cannot go on: all ranks of the job start again, as with"
                            + " --restart-policy hard"));
            return this;
        } else if (event instanceof Granted granted) {
            return granted(granted);
        }
        return handle(event);
    }

    private AgentStage asked(String rank, Asked asked) {
        String why = asked.reason().isEmpty() ? "" : ": " + asked.reason();
        String what = switch (asked.action()) {
            case CONTINUE -> rank + " takes back what it has asked for" + why;
            case EXCLUDE_THIS_NODE -> rank + " asks to exclude this node" + why;
            case SHUTDOWN_WORKLOAD -> rank + " asks to end the job" + why;
        };
        context.note(what);
        context.act(new Report(JobEvent.Kind.WORKLOAD_CONTROL, what));
        return switch (asked.action()) {
            case CONTINUE -> this;
            case EXCLUDE_THIS_NODE -> Ending.alone(context, ExitCode.REPLACE_HOST, what);
            case SHUTDOWN_WORKLOAD -> giveUp(what);
        };
    }

    /** Wrapped ranks follow this agent in their processes, if it goes on elsewhere. */
    private AgentStage failed(Failed failed) {
        if (failed.cause() != Failed.Cause.STORE_MOVES || context.config().policy() == RestartPolicy.HARD) {
            return new Ending(context, ExitCode.FAILED, failed.reason());
        }
        context.act(new LetGo(slots().running(), failed.reason()));
        return this;
    }

    private AgentStage called(CycleCalled called) {
        if (called.cycle() <= cycle()) {
            return this; // it is known already
        }
        slots().warnOfPause(called.cycle());
        return Regrouping.withJob(context, called.cycle(), called.reason());
    }

    private AgentStage granted(Granted granted) {
        if (granted.number() == 0) {
            return giveUp("not started again, as the restarts of the job are spent (%s)"
                    .formatted(context.config().budget()));
        }
        if (granted.target() instanceof Target.Job) {
            restarts("all ranks of the job: " + restart(granted.number()));
        } else {
            restart(granted);
        }
        return this;
    }

    final String restart(int number) {
        return "restart %d of %s".formatted(number, context.config().budget());
    }

    /** Ends the job for all nodes: starting it again would not help. */
    final AgentStage giveUp(String reason) {
        context.note(reason);
        context.act(new EndJob(ExitCode.DO_NOT_RESTART, reason));
        return new Ending(context, ExitCode.DO_NOT_RESTART, reason);
    }

    final void restarts(String what) {
        context.note(what);
        context.act(new Report(JobEvent.Kind.RESTART, what));
    }

    static String in(Duration delay) {
        return delay.isZero() ? "at once" : "in " + Durations.format(delay);
    }

    /** Starts a process, or all, again, unless this stage has not asked for it. */
    void restart(Granted granted) {}

    /** Handles an event that is not the same in all these stages. */
    AgentStage handle(AgentEvent event) {
        if (event instanceof Ended ended) {
            slots().hasStopped(ended);
        } else if (event instanceof NodeGone gone) {
            nodeGone(gone.what(), Remedy.ofLostNode(context.config().policy()));
        } else {
            return ignore(event);
        }
        return this;
    }

    /** Handles that a node is gone: whoever starts again meets the others anyway. */
    void nodeGone(String what, Remedy remedy) {
        context.note(what + ": " + remedy.reason());
    }
}
