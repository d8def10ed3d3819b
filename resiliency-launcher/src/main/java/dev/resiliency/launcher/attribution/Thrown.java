package dev.resiliency.launcher.attribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An exception, as a process has printed it.
 *
 * @param type such as {@code java.io.IOException}, or that of another language
 * @param message may be empty
 * @param frames the first of its stack, as printed
 * @param root the type and message of the last cause; empty if there is none
 */
public record Thrown(String type, String message, List<String> frames, String root) {
    private static final int MOST_FRAMES = 5;
    private static final int LONGEST = 300;
    private static final String TYPE = "((?:[\\w$]+\\.)+[\\w$]*(?:Exception|Error|Throwable|Abort|Death))";
    private static final Pattern HEAD = Pattern.compile("(?:.*?[\\s\"])?" + TYPE + "(?:: (.*))?");
    private static final Pattern CAUSE = Pattern.compile("Caused by: " + TYPE + "(?:: (.*))?");
    private static final Pattern FRAME = Pattern.compile("\\s+at (.*)");
    /** What a JVM prints of an error whose stack it has no memory for, and with {@code -XX:+ExitOnOutOfMemoryError}. */
    private static final Pattern WITHOUT_STACK =
            Pattern.compile("(?:Terminating due to |Exception in thread \".*\" |Exception: )" + TYPE
                    + "(?:: (.*)| thrown from the UncaughtExceptionHandler in thread .*)?");

    private static final String TRACEBACK = "Traceback (most recent call last):";
    private static final Pattern PYTHON_END = Pattern.compile("([A-Za-z_][\\w.]*)(?:: (.*))?");

    /** By these a rank notices that another one has died. */
    private static final Set<String> LOST_PEER = Set.of(
            "java.net.ConnectException",
            "java.net.SocketException",
            "java.net.NoRouteToHostException",
            "java.io.EOFException",
            "java.nio.channels.ClosedChannelException",
            "java.nio.channels.AsynchronousCloseException");

    private static final Pattern LOST_PEER_MESSAGE =
            Pattern.compile("(?i).*(connection (reset|refused|closed)|broken pipe|closed by (the )?(remote )?peer"
                    + "|remote process exited|(rank|peer|process) ?\\S* (has )?(died|left|is gone)).*");

    /** Returns the last exception that the lines show, with its stack, or as what has ended the JVM; null if there is none. */
    public static @Nullable Thrown lastOf(List<String> lines) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i);
            if (line.contains(TRACEBACK)) {
                return python(lines.subList(i + 1, lines.size()));
            }
            Matcher withoutStack = WITHOUT_STACK.matcher(line);
            Matcher head = HEAD.matcher(line);
            boolean hasStack =
                    i + 1 < lines.size() && FRAME.matcher(lines.get(i + 1)).matches();
            if (hasStack && !line.startsWith("Caused by: ") && head.matches()) {
                return java(head, lines.subList(i + 1, lines.size()));
            }
            if (withoutStack.matches()) {
                return new Thrown(withoutStack.group(1), shortened(withoutStack.group(2)), List.of(), "");
            }
        }
        return null;
    }

    private static Thrown java(Matcher head, List<String> below) {
        List<String> frames = new ArrayList<>();
        String root = "";
        for (String line : below) {
            Matcher frame = FRAME.matcher(line);
            Matcher cause = CAUSE.matcher(line);
            if (cause.matches()) {
                root = shortened(line.substring("Caused by: ".length()));
            } else if (frame.matches()) {
                if (root.isEmpty() && frames.size() < MOST_FRAMES) {
                    frames.add(frame.group(1));
                }
            } else if (!line.startsWith("\t") && !line.startsWith("    ")) {
                break;
            }
        }
        return new Thrown(head.group(1), shortened(head.group(2)), frames, root);
    }

    private static @Nullable Thrown python(List<String> below) {
        List<String> frames = new ArrayList<>();
        for (String line : below) {
            if (line.startsWith("  File ")) {
                frames.add(line.trim());
            } else if (!line.startsWith(" ")) {
                Matcher end = PYTHON_END.matcher(line);
                int from = Math.max(0, frames.size() - MOST_FRAMES);
                return end.matches()
                        ? new Thrown(
                                end.group(1),
                                shortened(end.group(2)),
                                List.copyOf(frames.subList(from, frames.size())),
                                "")
                        : null;
            }
        }
        return null;
    }

    /** Reads the text of {@link Throwable#toString}; null if it is none. */
    static @Nullable Thrown of(String text) {
        Matcher head = HEAD.matcher(text);
        return head.matches() && text.startsWith(head.group(1))
                ? new Thrown(head.group(1), shortened(head.group(2)), List.of(), "")
                : null;
    }

    private static String shortened(@Nullable String text) {
        return text == null ? "" : text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** Returns the type of the last cause; its own if there is none. */
    String cause() {
        return root.isEmpty() ? type : root.replaceFirst(":.*", "");
    }

    /** Returns whether the exception only says that another process is no longer there. */
    public boolean isLossOfPeer() {
        return LOST_PEER.contains(cause())
                || LOST_PEER_MESSAGE.matcher(root.isEmpty() ? message : root).matches();
    }

    /** Returns whether the heap was too small. */
    boolean isOutOfMemory() {
        return type.equals("java.lang.OutOfMemoryError") || root.startsWith("java.lang.OutOfMemoryError");
    }

    @Override
    public String toString() {
        return message.isEmpty() ? type : type + ": " + message;
    }
}
