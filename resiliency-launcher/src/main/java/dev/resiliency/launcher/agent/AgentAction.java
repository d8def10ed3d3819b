package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import java.util.OptionalInt;
import java.util.Set;

/** What an agent decides. */
sealed interface AgentAction {
    /** Has it performed. */
    void perform(Effects effects);

    /** Returns why, as a line for the log; empty for none. */
    default String reason() {
        return "";
    }

    /** To log a line, and nothing else. */
    record Note(String reason) implements AgentAction {
        @Override
        public void perform(Effects effects) {}
    }

    /** To write an event of the job, for whoever looks at it from outside; the log has it already. */
    record Report(JobEvent.Kind kind, String text) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.report(kind, text);
        }
    }

    /** To check whether this node is healthy; the answer is {@link AgentEvent.Checked}. */
    record Check() implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.check();
        }
    }

    /** To say in the store that this node is healthy, or is so again. */
    record MarkHealthy() implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.markHealthy();
        }
    }

    /** To say in the store why it is not. */
    record MarkUnhealthy(String problem) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.markUnhealthy(problem);
        }
    }

    /** To arrive among the nodes of the job, and wait for a seat in its current cycle. */
    record Arrive() implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.arrive();
        }
    }

    /** To wait for the node's seat in a cycle. */
    record TakeSeat(int cycle) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.takeSeat(cycle);
        }
    }

    /** To find out where rank 0 may host a store, before the node takes its seat. */
    record FindMaster(Seat seat) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.findMaster(seat);
        }
    }

    /**
     * To take a seat: processes that start from now on have their ranks by it.
     *
     * @param world how the world has changed with it
     */
    record Sit(Seat seat, WorldEvent world) implements AgentAction {
        @Override
        public String reason() {
            return seat.toString();
        }

        @Override
        public void perform(Effects effects) {
            effects.sit(seat, world);
        }
    }

    /** To wait until the job is founded. */
    record AwaitFounders(String reason) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.awaitFounders();
        }
    }

    /** To wait until the memory of the GPUs is free. */
    record AwaitMemory() implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.awaitMemory();
        }
    }

    /**
     * To start a process.
     *
     * @param restarts how often it, or the whole job, was started again before
     * @param promise the number by which it is to join
     * @param why it is started again; empty for the first time
     */
    record Start(int process, int restarts, OptionalInt promise, String why) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.start(process, restarts, promise, why);
        }
    }

    /** To find out whether the ranks have wrappers, without which the others cannot go on. */
    record AskWrapped(Target target) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.askWrapped(target);
        }
    }

    /**
     * To find out whether the job gets on from restart to restart.
     *
     * @param who starts again, as a word
     */
    record ShareProgress(Target target, String who) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.shareProgress(target, who);
        }
    }

    /** To ask for a restart out of the budget of the job. */
    record AskRestart(Target target) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.askRestart(target);
        }
    }

    /**
     * To promise the others a replacement, so that they wait for it.
     *
     * @param number of the restart
     */
    record Promise(int process, int number) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.promise(process, number);
        }
    }

    /** To tell all processes of the node what is about to change. */
    record Warn(WorldEvent event) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.warn(event);
        }
    }

    /**
     * To send a process a signal.
     *
     * @param name without {@code SIG}
     */
    record Signal(int process, String name, String reason) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.signal(process, name);
        }
    }

    /**
     * To pass a signal on to a process if it handles it.
     *
     * @param name without {@code SIG}
     */
    record Pass(int process, String name, String reason) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.pass(process, name);
        }
    }

    /** To let a process go on, if it is suspended, and show what its threads do. */
    record Dump(int process, String reason) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.dump(process);
        }
    }

    /** To end a process at once. */
    record Kill(int process, String reason) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.kill(process);
        }
    }

    /** To call the next cycle of the whole job, out of its budget. */
    record CallCycle(int cycle, String reason) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.callCycle(cycle, reason);
        }
    }

    /** To say that all ranks of the node have completed in a cycle. */
    record Complete(int cycle) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.complete(cycle);
        }
    }

    /**
     * To let those of some processes go on that are members of their job, while this agent goes to another store, and takes them over
     * there; which ones is {@link AgentEvent.WentOn}.
     */
    record LetGo(Set<Integer> processes, String why) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.letGo(processes, why);
        }
    }

    /** To end the job for all nodes. */
    record EndJob(int code, String why) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.endJob(code, why);
        }
    }

    /** To tell the others that this agent is about to leave. */
    record AnnounceLeave() implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.announceLeave();
        }
    }

    /**
     * To leave the job.
     *
     * @param handsOver whether the others are to go on without the store that this agent may host
     */
    record Leave(boolean hasCompleted, boolean handsOver) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.leave(hasCompleted, handsOver);
        }
    }

    /** To end this agent with this exit code. */
    record Exit(int code, String why) implements AgentAction {
        @Override
        public void perform(Effects effects) {
            effects.exit(code, why);
        }
    }
}
