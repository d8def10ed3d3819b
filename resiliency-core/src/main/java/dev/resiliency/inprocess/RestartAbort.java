package dev.resiliency.inprocess;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by the wrapped function or an initialize hook to leave the job for good: this rank is not called again, and
 * the error reaches the caller of the wrapper. The others restart without it. An {@link Error}, so that {@code catch
 * (Exception e)} does not swallow it. Corresponds to nvidia-resiliency-ext's {@code RestartAbort}.
 *
 * <p>The library never ends the process. A {@code main} passes the error on to its supervisor, so that this does not start
 * the process again:
 *
 * <pre>{@code
 * try {
 *     wrapper.call(Train::train);
 * } catch (RestartAbort abort) {
 *     System.err.println(abort.getMessage());
 *     System.exit(abort.exitCode());
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public class RestartAbort extends Error {
    /** The exit code that tells a supervisor not to start the process again: 130, as in nvidia-resiliency-ext. */
    public static final int EXIT_CODE = 130;

    private static final long serialVersionUID = 1L;

    /** Creates an error with the reason for leaving the job. */
    public RestartAbort(String message) {
        super(message);
    }

    /** Creates an error with a cause. */
    public RestartAbort(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the code with which the process should exit: {@link #EXIT_CODE}. */
    public int exitCode() {
        return EXIT_CODE;
    }
}
