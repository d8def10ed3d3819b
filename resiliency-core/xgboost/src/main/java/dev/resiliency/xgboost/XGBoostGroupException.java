package dev.resiliency.xgboost;

import dev.resiliency.inprocess.ResiliencyException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when ranks cannot be connected, or an operation of XGBoost fails: often because another rank has died.
 *
 * @since 0.1.0
 */
public final class XGBoostGroupException extends ResiliencyException {
    private static final long serialVersionUID = 1L;
    private static final String STACK = "Stack trace:";

    private final int rank;
    private final String operation;
    private final String detail;

    XGBoostGroupException(int rank, String operation, String detail, @Nullable Throwable cause) {
        super("%s failed on active rank %d: %s".formatted(operation, rank, reason(detail)), cause);
        this.rank = rank;
        this.operation = operation;
        this.detail = detail;
    }

    /** Returns the innermost of the reasons that XGBoost lists, before its C++ stack; else the first line. */
    private static String reason(String text) {
        List<String> lines = text.lines()
                .map(String::strip)
                .takeWhile(line -> !line.startsWith(STACK))
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.stream()
                .filter(line -> line.startsWith("- ["))
                .reduce((outer, inner) -> inner)
                .map(line -> line.replaceFirst("^- \\[[^]]*]:? *", ""))
                .orElse(lines.isEmpty() ? "no reason is given" : lines.get(0));
    }

    /** Returns the active rank on which the operation failed. */
    public int rank() {
        return rank;
    }

    /** Returns what failed, such as {@code allReduce}. */
    public String operation() {
        return operation;
    }

    /** Returns all that XGBoost says, usually several lines. */
    public String detail() {
        return detail;
    }
}
