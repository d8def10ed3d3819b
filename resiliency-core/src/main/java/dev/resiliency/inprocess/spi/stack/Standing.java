package dev.resiliency.inprocess.spi.stack;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the function of a rank stands while the job hangs. Its rank says so in one text, which others read.
 *
 * @param activity what its thread does
 * @param isSilent whether it makes no progress
 * @param frames of its thread, innermost first, without most of the JDK's
 */
public record Standing(Activity activity, boolean isSilent, List<String> frames) {
    /** How a text begins of a rank whose thread makes no progress. */
    public static final String NO_PROGRESS = "made no progress";

    /** How a text begins of a rank that makes progress, but does not ping. */
    public static final String NO_PING = "did not ping";

    private static final String STACK = ", at [";
    /** How a text begins of a rank that makes progress, while others make none. */
    public static final String RUNS = "others make no progress, and it";

    private static final int LONGEST = 400;

    /** Copies the list. */
    public Standing {
        frames = List.copyOf(frames);
    }

    /** Returns where a thread stands that makes no progress. */
    public static Standing of(Thread.State state, StackTraceElement[] stack) {
        List<String> methods = Arrays.stream(stack)
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .toList();
        boolean isNative = stack.length > 0 && stack[0].isNativeMethod();
        return new Standing(
                Activity.of(state == Thread.State.BLOCKED, isNative, methods), true, StackFrames.notable(stack));
    }

    /** Returns what a thread does, by the frames of a thread dump, innermost first. */
    public static Activity activityOf(List<String> frames) {
        boolean isNative = !frames.isEmpty() && frames.get(0).endsWith("Native Method)");
        return Activity.of(false, isNative, StackFrames.methodsOf(frames));
    }

    /** Returns this with another activity, as more is known than the stack says. */
    public Standing in(Activity known) {
        return new Standing(known, isSilent, frames);
    }

    /**
     * Returns the text for others, which {@link #read} reads.
     *
     * @param silence how long it has made no progress: {@code made no progress for 6.0 s}; empty if it makes progress
     * @param more of what it does: {@code , 212 pings}; may be empty
     */
    public String text(String silence, String more) {
        String head = (silence.isEmpty() ? RUNS : silence + ",") + " " + activity.words() + more;
        StringBuilder text = new StringBuilder(head).append(STACK);
        for (int i = 0;
                i < frames.size() && (i == 0 || text.length() + frames.get(i).length() < LONGEST);
                i++) {
            text.append(i == 0 ? "" : ", ").append(frames.get(i));
        }
        return text.append(']').toString();
    }

    /** Reads what a rank has said of itself; empty if it has not said what it does. */
    public static Optional<Standing> read(String text) {
        String head = headOf(text);
        return Stream.of(Activity.values())
                .filter(activity -> startOf(activity, head) >= 0)
                .min(Comparator.comparingInt(activity -> startOf(activity, head)))
                .map(activity -> new Standing(activity, !head.startsWith(RUNS), framesIn(text)));
    }

    private static int startOf(Activity activity, String head) {
        if (head.startsWith(NO_PROGRESS) || head.startsWith(NO_PING)) {
            return head.indexOf(", " + activity.words());
        }
        return head.startsWith(RUNS + " " + activity.words()) ? 0 : -1;
    }

    private static String headOf(String text) {
        int stack = text.indexOf(STACK);
        return stack < 0 ? text : text.substring(0, stack);
    }

    /** Returns the frames that a text says, innermost first. */
    public static List<String> framesIn(String text) {
        int stack = text.indexOf(STACK);
        if (stack < 0) {
            return List.of();
        }
        String frames = text.substring(stack + STACK.length());
        int end = frames.indexOf(']');
        return Stream.of((end < 0 ? frames : frames.substring(0, end)).split(", ", -1))
                .filter(frame -> frame.contains("("))
                .map(StackFrames::withoutModule)
                .toList();
    }

    /** Returns the text in short: {@code made no progress for 6.0 s, sleeps, 212 pings, at LogReg.fault:71}. */
    public static String brief(String text) {
        String place = StackFrames.place(framesIn(text));
        return place.isEmpty() ? headOf(text) : headOf(text) + ", at " + StackFrames.brief(place);
    }

    /** Returns the frames of the program in short, innermost first: {@code LogReg.fault:71 < LogReg.train:28}; empty if a text says none. */
    public static String path(String text) {
        return framesIn(text).stream()
                .filter(frame -> StackFrames.isOfTheProgram(StackFrames.methodOf(frame)))
                .map(StackFrames::brief)
                .collect(Collectors.joining(" < "));
    }

    /** Returns the innermost frame of the program; empty if no frame is known. */
    public String place() {
        return StackFrames.place(frames);
    }
}
