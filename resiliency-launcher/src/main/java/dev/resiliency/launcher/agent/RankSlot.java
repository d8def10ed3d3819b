package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.process.KeptProcess;
import dev.resiliency.launcher.process.ProcessState;
import java.util.OptionalInt;

/** One of the processes of a node, and those that replace it. Confined to the thread of the agent. */
final class RankSlot extends KeptProcess {
    final int number;
    final boolean isSpare;
    int restarts;

    /** What the process that runs, or has run last, was too late with; empty if with nothing. */
    String overdue = "";

    OptionalInt promise = OptionalInt.empty();
    /** Why it is started again. */
    String nextStart = "";

    RankSlot(int number, boolean isSpare) {
        this.number = number;
        this.isSpare = isSpare;
    }

    /** Returns whether it has completed or left, or is a spare that never ran: it has no ranks to wait for once they are through. */
    boolean isThrough() {
        return hasLeftOrCompleted() || (isSpare && state() == ProcessState.IDLE);
    }

    /** Returns whether it has completed, or has left the job on purpose. */
    boolean hasLeftOrCompleted() {
        return state() == ProcessState.COMPLETED || state() == ProcessState.LEFT;
    }

    /** Returns whether there is a process. */
    boolean isAlive() {
        return state().isAlive();
    }
}
