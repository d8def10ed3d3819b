package dev.resiliency.launcher.attribution;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM has written about its own crash, into the file {@code hs_err_pidN.log}.
 *
 * @param file its path; empty if only the output of the process has said so
 * @param what the signal, such as {@code SIGSEGV}, or the first line of an internal error
 * @param frame the problematic frame, as the file has it; empty if there is none
 * @param library in which that is: {@code libshard.so}, or a Java method; empty if not known
 * @param thread whose crash it was; empty if not known
 * @param sender the process that has sent the signal, if one has; null for a real crash
 */
record Crash(
        String file,
        String what,
        String frame,
        String library,
        String thread,
        @Nullable Long sender) {
    private static final String TITLE = "A fatal error has been detected by the Java Runtime Environment";
    private static final String NO_MEMORY = "There is insufficient memory for the Java Runtime Environment";
    private static final Pattern SIGNAL = Pattern.compile("#\\s+(SIG[A-Z]+) \\(0x[0-9a-f]+\\) at pc=.*");
    private static final Pattern INTERNAL = Pattern.compile("#\\s+(Internal Error .*|guarantee\\(.*|Error: .*)");
    private static final Pattern LIBRARY = Pattern.compile("\\[([^\\]+]+)\\+0x[0-9a-f]+].*");
    private static final Pattern JAVA = Pattern.compile("[Jj] .*?([\\w$.]+\\.[\\w$<>]+)\\(.*");
    private static final Pattern THREAD = Pattern.compile("Current thread \\(0x[0-9a-f]+\\):\\s+\\w+ \"([^\"]*)\".*");
    private static final Pattern SENDER = Pattern.compile("siginfo: .*si_code: 0 \\(SI_USER\\), si_pid: (\\d{1,18}).*");

    /** Parses the lines of such a file, or those that the JVM prints in the same form; null if they say nothing of a crash. */
    static @Nullable Crash parse(String file, List<String> lines) {
        boolean isCrash = false;
        String what = "";
        String frame = "";
        String thread = "";
        Long sender = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            isCrash |= line.contains(TITLE) || line.contains(NO_MEMORY);
            if (!isCrash) {
                continue;
            }
            if (line.contains(NO_MEMORY)) {
                what = "insufficient memory";
            } else if (what.isEmpty()) {
                what = first(SIGNAL, line, first(INTERNAL, line, ""));
            }
            if (line.startsWith("# Problematic frame:") && i + 1 < lines.size()) {
                frame = lines.get(i + 1).replaceFirst("^#\\s*", "").trim();
            }
            thread = first(THREAD, line, thread);
            String pid = first(SENDER, line, "");
            sender = pid.isEmpty() ? sender : Long.valueOf(pid);
        }
        return isCrash ? new Crash(file, what, frame, libraryOf(frame), thread, sender) : null;
    }

    private static String libraryOf(String frame) {
        Matcher library = LIBRARY.matcher(frame.replaceFirst("^[A-Za-z]+\\s+", ""));
        return library.matches() ? library.group(1) : first(JAVA, frame, "");
    }

    private static String first(Pattern pattern, String line, String otherwise) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? matcher.group(1) : otherwise;
    }

    /** Returns whether memory for the JVM itself, not for its heap, could not be had. */
    boolean isOutOfMemory() {
        return what.equals("insufficient memory");
    }
}
