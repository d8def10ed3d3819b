package dev.resiliency.launcher.agent;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One of the processes of a node, and those that replace it. Confined to the thread of the agent. */
final class RankSlot {
    final int number;
    final boolean isSpare;
    State state = State.IDLE;
    /** When the state ends by itself, on the agent's clock; null if it does not. */
    @Nullable
    Long deadline;

    /** When the process was started last. */
    long startedAt;

    long pid;
    int restarts;
    /** How often in a row it has failed at start-up. */
    int startupFailures;

    /** What the process that runs, or has run last, was too late with; empty if with nothing. */
    String overdue = "";

    /** Whether the last attempt to start it has failed for want of descriptors, memory or threads. */
    boolean isShort;

    OptionalInt promise = OptionalInt.empty();
    /** Why it is started again. */
    String nextStart = "";

    enum State {
        /** There is no process yet, or none until the whole node starts again. */
        IDLE,
        /** A process is about to run, or runs. */
        RUNNING,
        /** The process has failed, and a restart was asked for. */
        ASKING,
        /** A restart was granted, and comes at the deadline. */
        WAITING,
        /** The process hangs, and shows its threads until the deadline. */
        OVERDUE,
        /** The process was sent a signal, and has until the deadline. */
        STOPPING,
        /** The process was killed, and ends before the deadline. */
        KILLED,
        /** The process has completed. */
        COMPLETED,
        /** The process has left the job on purpose. */
        LEFT;

        /** Returns whether there is a process. */
        boolean isAlive() {
            return this == RUNNING || this == OVERDUE || this == STOPPING || this == KILLED;
        }
    }

    RankSlot(int number, boolean isSpare) {
        this.number = number;
        this.isSpare = isSpare;
    }

    /** Returns whether it has completed or left, or is a spare that never ran: it has no ranks to wait for once they are through. */
    boolean isThrough() {
        return state == State.COMPLETED || state == State.LEFT || (isSpare && state == State.IDLE);
    }

    /** Returns whether there is a process. */
    boolean isAlive() {
        return state.isAlive();
    }

    void enter(State newState, @Nullable Long newDeadline) {
        state = newState;
        deadline = newDeadline;
    }
}
