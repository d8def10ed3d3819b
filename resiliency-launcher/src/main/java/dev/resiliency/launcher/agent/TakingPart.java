package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.agent.AgentAction.CallCycle;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.NoProgress;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.Notified;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Unhealthy;
import dev.resiliency.launcher.agent.AgentEvent.Unwrapped;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.rendezvous.JobEvent;
import java.time.Duration;

/** The node takes part in the job, in a cycle of it. */
abstract sealed class TakingPart implements AgentStage permits AwaitingSeat, Running, Regrouping {
    private final AgentContext context;
    private final int cycle;

    TakingPart(AgentContext context, int cycle) {
        this.context = context;
        this.cycle = cycle;
    }

    final AgentContext context() {
        return context;
    }

    final RankSlots slots() {
        return context.slots();
    }

    final int cycle() {
        return cycle;
    }

    @Override
    public final AgentStage on(AgentEvent event) {
        if (event instanceof StopAsked asked) {
            return Ending.onSignal(context, asked.signal());
        } else if (event instanceof Notified notified) {
            slots().pass(notified.signal());
            return this;
        } else if (event instanceof JobEnded job) {
            return new Ending(context, job.code(), "the job has ended: " + job.reason());
        } else if (event instanceof Drained drained) {
            return new Ending(context, ExitCode.COMPLETED, "this node leaves the job (%s)".formatted(drained.reason()));
        } else if (event instanceof Unhealthy unhealthy) {
            return new Ending(context, ExitCode.REPLACE_HOST, unhealthy.reason());
        } else if (event instanceof Asked asked) {
            return asked(slots().nameOf(slots().get(asked.process())), asked);
        } else if (event instanceof NoProgress stuck) {
            return giveUp(stuck.reason());
        } else if (event instanceof Failed failed) {
            return new Ending(context, ExitCode.FAILED, failed.reason());
        } else if (event instanceof CycleCalled called) {
            return called.cycle() > cycle ? Regrouping.withJob(context, called.cycle(), called.reason()) : this;
        } else if (event instanceof Unwrapped) {
            context.act(new CallCycle(
                    cycle + 1,
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
            case EXCLUDE_THIS_NODE -> new Ending(context, ExitCode.REPLACE_HOST, what);
            case SHUTDOWN_WORKLOAD -> giveUp(what);
        };
    }

    private AgentStage granted(Granted granted) {
        String budget = context.settings().budget().toString();
        if (granted.number() == 0) {
            return giveUp("not started again, as the restarts of the job are spent (%s)".formatted(budget));
        }
        String restart = "restart %d of %s".formatted(granted.number(), budget);
        if (granted.process() == Agent.WHOLE_JOB) {
            restarts("all ranks of the job: " + restart);
        } else {
            restart(granted, restart);
        }
        return this;
    }

    /** Ends the job for all nodes: starting it again would not help. */
    final AgentStage giveUp(String reason) {
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
    void restart(Granted granted, String name) {}

    /** Handles an event that is not the same in all these stages. */
    AgentStage handle(AgentEvent event) {
        if (event instanceof Ended ended) {
            slots().hasStopped(ended);
        } else if (event instanceof NodeGone gone) {
            nodeGone(gone.what(), Remedy.ofLostNode(context.settings().policy()));
        }
        return this;
    }

    /** Handles that a node is gone: whoever starts again meets the others anyway. */
    void nodeGone(String what, Remedy remedy) {
        context.note(what + ": " + remedy.reason());
    }
}
