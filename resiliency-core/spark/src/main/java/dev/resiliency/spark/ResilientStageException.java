package dev.resiliency.spark;

import dev.resiliency.inprocess.ResiliencyException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by {@link ResilientStage#run} when a stage has failed, or cannot run with the settings of this Spark; its message
 * says why, and what to change.
 *
 * @since 0.1.0
 */
public class ResilientStageException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception that has the reason. */
    public ResilientStageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
