package dev.resiliency.launcher.attribution;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds in stacks of Java threads where the program itself is. */
final class Stacks {
    private static final Pattern FRAME = Pattern.compile("\\s*at ([\\w.$/@<>-]+)\\((.*)\\)");
    private static final Pattern METHOD = Pattern.compile("(?:[\\w.@-]*/)*([\\w.$]+\\.[\\w$<>]+)\\(");
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "io.netty.",
            "dev.resiliency.inprocess.",
            "dev.resiliency.store.");
    private static final int MOST = 20;

    private Stacks() {}

    /**
     * Returns the method of the program in which a record of the wrapper says that its function is: the innermost frame that is
     * not of the JDK or this library. Empty if the text has no stack.
     */
    static String place(String text) {
        int stack = text.indexOf(", at [");
        if (stack < 0) {
            return "";
        }
        Matcher method = METHOD.matcher(text.substring(stack));
        List<String> methods = new ArrayList<>();
        while (method.find()) {
            methods.add(method.group(1));
        }
        return chosen(methods);
    }

    /** Returns the same for frames, innermost first. */
    static String place(List<String> frames) {
        return chosen(frames.stream()
                .map(frame -> frame.replaceFirst("\\(.*", "").replaceFirst("^.*/", ""))
                .toList());
    }

    private static String chosen(List<String> methods) {
        return methods.stream()
                .filter(method -> LIBRARIES.stream().noneMatch(method::startsWith))
                .findFirst()
                .orElse(methods.isEmpty() ? "" : methods.get(0));
    }

    /** Returns the frames of the main thread in the last thread dump that the lines show; empty if there is none. */
    static List<String> mainThread(List<String> lines) {
        int start = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("\"main\" #")) {
                start = i;
            }
        }
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
}
