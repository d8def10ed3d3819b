package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.agent.AgentAction.CallCycle;
import dev.resiliency.launcher.agent.AgentAction.Complete;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Seat;

/** All ranks of the node have completed, and those of others perhaps not: if all start again, so do these. */
final class Completed implements AgentStage {
    private static final String REASON = "all ranks of this node have completed";

    private final AgentContext context;

    Completed(AgentContext context) {
        this.context = context;
        Seat seat = context.slots().seat();
        if (seat != null && seat.nodes() > 1) {
            context.note(REASON + ": they start again if all do, until those of the other nodes have completed, too");
        }
        context.act(new Report(JobEvent.Kind.NODE_COMPLETED, REASON));
        context.act(new Complete(context.cycle()));
    }

    @Override
    public AgentStage on(AgentEvent event) {
        if (event instanceof CycleCalled called && called.cycle() > context.cycle()) {
            return Regrouping.withJob(context, called.cycle(), called.reason());
        } else if (event instanceof JobEnded job && job.code() != ExitCode.COMPLETED) {
            return new Ending(context, job.code(), "the job has ended: " + job.reason());
        } else if (event instanceof Failed failed && failed.cause() == Failed.Cause.STORE_MOVES) {
            return new Ending(context, ExitCode.FAILED, failed.reason());
        } else if (event instanceof JobEnded || event instanceof Failed || event instanceof Drained) {
            return new Ending(context, ExitCode.COMPLETED, REASON);
        } else if (event instanceof StopAsked asked) {
            return Ending.afterCompletion(context, REASON, asked.signal());
        } else if (event instanceof NodeGone gone) {
            Remedy remedy = Remedy.ofLostNode(context.config().policy());
            if (remedy.kind() == Remedy.Kind.RESTART_JOB) {
                context.act(new CallCycle(context.cycle() + 1, gone.what() + ": " + remedy.reason()));
            }
            return this;
        }
        return ignore(event);
    }
}
