package dev.resiliency.inprocess.spi.stack;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where the function of a rank stands while the job hangs.
 *
 * @param activity what its thread does
 * @param isSilent whether it makes no progress
 * @param frames of its thread, innermost first, without most of the JDK's; empty if they are not known
 */
public record Standing(Activity activity, boolean isSilent, List<String> frames) {
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

    /** Returns this of a rank that makes no progress, of whose stack nothing is known. */
    public static Standing of(Activity activity) {
        return new Standing(activity, true, List.of());
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

    /** Returns this of a thread that makes progress. */
    public Standing busy() {
        return new Standing(activity, false, frames);
    }

    /** Returns whether it is known what the rank does: of one whose process is only silent, it is not. */
    public boolean isKnown() {
        return activity != Activity.SILENT;
    }

    /**
     * Returns the text for people, which ends with the frames: {@code made no progress for 6.0 s, sleeps, 212 pings, at [...]}.
     *
     * @param start such as how long it has made no progress
     * @param more of what it does: {@code , 212 pings}; may be empty
     */
    public String text(String start, String more) {
        return start + activity.words() + more + end();
    }

    private String end() {
        return frames.isEmpty() ? "" : ", at [" + String.join(", ", frames) + "]";
    }

    /** Returns a text without the frames with which it ends. */
    public String withoutFrames(String text) {
        return text.endsWith(end()) ? text.substring(0, text.length() - end().length()) : text;
    }

    /** Returns a text with the frames at its end. */
    public String withFrames(String text) {
        return text + end();
    }

    /** Returns a text in short: {@code made no progress for 6.0 s, sleeps, 212 pings, at LogReg.fault:71}. */
    public String brief(String text) {
        return withoutFrames(text) + (frames.isEmpty() ? "" : ", at " + StackFrames.brief(place()));
    }

    /** Returns the frames of the program in short, innermost first: {@code LogReg.fault:71 < LogReg.train:28}; empty if there are none. */
    public String path() {
        return frames.stream()
                .filter(frame -> StackFrames.isOfTheProgram(StackFrames.methodOf(frame)))
                .map(StackFrames::brief)
                .collect(Collectors.joining(" < "));
    }

    /** Returns the innermost frame of the program; empty if no frame is known. */
    public String place() {
        return StackFrames.place(frames);
    }
}
