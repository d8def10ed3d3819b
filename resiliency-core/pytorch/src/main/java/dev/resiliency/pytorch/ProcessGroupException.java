package dev.resiliency.pytorch;

import dev.resiliency.inprocess.ResiliencyException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a process group cannot be created, or an operation of it fails: often because another rank has died.
 *
 * @since 0.1.0
 */
public final class ProcessGroupException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String operation;
    private final String detail;

    ProcessGroupException(int rank, String operation, String detail, @Nullable Throwable cause) {
        super("%s failed on active rank %d: %s".formatted(operation, rank, firstLine(detail)), cause);
        this.rank = rank;
        this.operation = operation;
        this.detail = detail;
    }

    /** Returns an exception for what PyTorch threw, whose message has its first line: the others are a C++ stack. */
    static ProcessGroupException of(int rank, String operation, RuntimeException thrown) {
        return new ProcessGroupException(rank, operation, String.valueOf(thrown.getMessage()), thrown);
    }

    private static String firstLine(String text) {
        return text.lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("no reason is given")
                .strip();
    }

    /** Returns the active rank on which the operation failed. */
    public int rank() {
        return rank;
    }

    /** Returns what failed, such as {@code allReduce}. */
    public String operation() {
        return operation;
    }

    /** Returns all that PyTorch says, usually several lines. */
    public String detail() {
        return detail;
    }
}
