package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the thread dumps that JVMs print. */
final class Stacks {
    private static final Pattern FRAME = Pattern.compile("\\s*at ([\\w.$/@<>-]+)\\((.*)\\)");
    private static final String DEADLOCK = "Found one Java-level deadlock:";
    private static final int MOST = 20;

    private Stacks() {}

    /** Returns the frames of the main thread in the last thread dump that the lines show; empty if there is none. */
    static List<String> mainThread(List<String> lines) {
        int start = startOfMainThread(lines);
        List<String> frames = new ArrayList<>();
        for (int i = start + 1; start >= 0 && i < lines.size() && frames.size() < MOST; i++) {
            if (lines.get(i).isBlank() || lines.get(i).startsWith("\"")) {
                break;
            }
            Matcher frame = FRAME.matcher(lines.get(i));
            if (frame.matches()) {
                frames.add(frame.group(1) + "(" + frame.group(2) + ")");
            }
        }
        return frames;
    }

    private static int startOfMainThread(List<String> lines) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).startsWith("\"main\" #")) {
                return i;
            }
        }
        return -1;
    }

    /** Returns what the main thread does in that dump; null if there is none. */
    static @Nullable Activity activity(List<String> lines) {
        int start = startOfMainThread(lines);
        if (start < 0) {
            return null;
        }
        List<String> dump = lines.subList(start, lines.size());
        int deadlock = dump.indexOf(DEADLOCK);
        if (deadlock >= 0 && dump.subList(deadlock, dump.size()).contains("\"main\":")) {
            return Activity.DEADLOCK;
        }
        boolean isBlocked = dump.size() > 1 && dump.get(1).contains("java.lang.Thread.State: BLOCKED");
        return isBlocked ? Activity.LOCK : Standing.activityOf(mainThread(lines));
    }
}
