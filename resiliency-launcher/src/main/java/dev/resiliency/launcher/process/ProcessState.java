package dev.resiliency.launcher.process;

/** The states of a process that is started again when it ends. */
public enum ProcessState {
    /** There is no process yet, or none until somebody decides to start one. */
    IDLE,
    /** A process is about to run, or runs. */
    RUNNING,
    /** The process has failed, and a restart was asked for. */
    ASKING,
    /** A process is started at the deadline. */
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
    public boolean isAlive() {
        return this == RUNNING || this == OVERDUE || this == STOPPING || this == KILLED;
    }
}
