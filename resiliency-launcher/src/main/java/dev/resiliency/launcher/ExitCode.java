package dev.resiliency.launcher;

/**
 * The exit codes by which supervised programs, supervisors and schedulers understand each other. A program may exit with
 * {@link #DO_NOT_RESTART} or {@link #REPLACE_HOST}; a supervisor passes both on.
 *
 * @since 0.1.0
 */
public final class ExitCode {
    /** The program has completed. */
    public static final int COMPLETED = 0;

    /** The program, or its supervisor, has failed. */
    public static final int FAILED = 1;

    /** The command line is invalid. */
    public static final int USAGE = 2;

    /** Nobody should start the program again: it said so, its restarts are spent, or it fails whenever it starts. */
    public static final int DO_NOT_RESTART = 93;

    /** The program should be started on another host, since this one is broken. */
    public static final int REPLACE_HOST = 94;

    /** The program exists, but cannot be executed. */
    public static final int NOT_EXECUTABLE = 126;

    /** There is no such program. */
    public static final int NOT_FOUND = 127;

    private ExitCode() {}
}
