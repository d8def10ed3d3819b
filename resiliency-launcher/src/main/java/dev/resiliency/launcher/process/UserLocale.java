package dev.resiliency.launcher.process;

import dev.resiliency.launcher.process.ExitReason.NotStarted;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The bytes of arguments and names of files, which a JVM decodes and encodes by its locale. So {@code bin/resiliency} gives its JVM a
 * locale of UTF-8 where the user has none, as in many containers, and the processes that it starts get the user's back.
 */
final class UserLocale {
    /** {@code LC_ALL} as the user has it, which may be empty; set only where this process has another one. */
    private static final String VARIABLE = "RESILIENCY_LC_ALL";

    private static final String LOCALE = "LC_ALL";
    /** Stands for bytes that could not be decoded. */
    private static final String UNKNOWN = "\uFFFD";
    /** The first release of Java that starts processes in the encoding in which it has received its arguments. */
    private static final int SAME_ENCODING = 18;

    private UserLocale() {}

    /** Gives a process that is to start the locale of the user. */
    static void restore(Map<String, String> environment) {
        String ofUser = environment.remove(VARIABLE);
        if (ofUser == null) {
            return;
        }
        if (ofUser.isEmpty()) {
            environment.remove(LOCALE);
        } else {
            environment.put(LOCALE, ofUser);
        }
    }

    /** Returns why a command would not arrive as the user has written it; empty if it does. */
    static Optional<NotStarted> problem(List<String> command) {
        Charset received = Charset.forName(System.getProperty("sun.jnu.encoding"));
        return problem(
                command, received, Runtime.version().feature() >= SAME_ENCODING ? received : Charset.defaultCharset());
    }

    /**
     * Returns why a command would not arrive.
     *
     * @param received in which this JVM receives arguments
     * @param passed in which it passes them on
     */
    static Optional<NotStarted> problem(List<String> command, Charset received, Charset passed) {
        for (int word = 0; word < command.size(); word++) {
            String text = command.get(word);
            if (text.contains(UNKNOWN)) {
                return refused(word, text, "has bytes that are not UTF-8");
            }
            byte[] bytes = text.getBytes(received);
            if (!new String(bytes, received).equals(text) || !Arrays.equals(bytes, text.getBytes(passed))) {
                return refused(
                        word, text, "cannot be passed on in the encoding of this JVM: start it with LC_ALL=C.UTF-8");
            }
        }
        return Optional.empty();
    }

    private static Optional<NotStarted> refused(int word, String text, String why) {
        return Optional.of(new NotStarted(
                NotStarted.NOT_EXECUTABLE,
                "%s ('%s') %s".formatted(word == 0 ? "the program" : "argument " + word, text, why)));
    }
}
