package dev.resiliency.launcher.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Why a process has ended, or why there is none. */
public sealed interface ExitReason {
    /** Added to the number of a signal, it is the exit code of a process that the signal has ended. */
    int SIGNAL_BASE = 128;

    /** Returns the code with which a shell would report this. */
    int code();

    /** Returns what happened, as the end of a sentence about the process: {@code was ended by SIGKILL}. */
    String description();

    /** Returns what else to think of, in parentheses behind the sentence; empty if there is nothing. */
    default String hint() {
        return "";
    }

    /** The process ended by itself, with this exit code. */
    record Exited(int code) implements ExitReason {
        @Override
        public String description() {
            return "exited with code " + code;
        }
    }

    /**
     * A signal ended the process, or it exited with the code that says so, as a JVM does after SIGTERM: Java does not tell
     * these apart.
     *
     * @param number of the signal
     */
    record Signalled(int number) implements ExitReason {
        private static final int KILL = 9;

        private static final Map<Integer, String> NAMES = Map.ofEntries(
                Map.entry(1, "HUP"),
                Map.entry(2, "INT"),
                Map.entry(3, "QUIT"),
                Map.entry(4, "ILL"),
                Map.entry(5, "TRAP"),
                Map.entry(6, "ABRT"),
                Map.entry(7, "BUS"),
                Map.entry(8, "FPE"),
                Map.entry(KILL, "KILL"),
                Map.entry(10, "USR1"),
                Map.entry(11, "SEGV"),
                Map.entry(12, "USR2"),
                Map.entry(13, "PIPE"),
                Map.entry(14, "ALRM"),
                Map.entry(15, "TERM"),
                Map.entry(24, "XCPU"),
                Map.entry(25, "XFSZ"),
                Map.entry(31, "SYS"));

        /** Returns the name of the signal, such as {@code SIGKILL}. */
        public String name() {
            String name = NAMES.get(number);
            return name == null ? "signal " + number : "SIG" + name;
        }

        @Override
        public int code() {
            return SIGNAL_BASE + number;
        }

        @Override
        public String description() {
            return "was ended by " + name();
        }

        @Override
        public String hint() {
            return number == KILL ? " (perhaps by the kernel, as memory ran out)" : "";
        }
    }

    /**
     * The process could not be started.
     *
     * @param code 127 if there is no such program, 126 if it cannot be executed
     * @param problem what the user has to know, as a sentence without a full stop
     */
    record NotStarted(int code, String problem) implements ExitReason {
        /** The code of a shell that has not found a program. */
        public static final int NOT_FOUND = 127;

        /** The code of a shell that has found a program which it cannot execute. */
        public static final int NOT_EXECUTABLE = 126;

        @Override
        public String description() {
            return "could not be started: " + problem;
        }
    }

    /**
     * The process could not be started for now, as the host or this process lacks descriptors, memory or threads: nothing is wrong with
     * the command, and it should be tried again.
     */
    record Shortage(String problem) implements ExitReason {
        /** How long to wait before the next attempt. */
        public static final Duration PAUSE = Duration.ofSeconds(1);

        /** What the kernel says, or the number by which Java names it: EAGAIN, ENOMEM, ENFILE, EMFILE. */
        private static final Pattern KERNEL = Pattern.compile(
                "error[=:] ?(11|12|23|24)\\b|Resource temporarily unavailable|Cannot allocate memory|Too many open files");

        /** Returns whether a shortage, which may pass, is why something has failed. */
        public static boolean isCauseOf(IOException failure) {
            return KERNEL.matcher(String.valueOf(failure.getMessage())).find();
        }

        @Override
        public int code() {
            return 1;
        }

        @Override
        public String description() {
            return "could not be started for now: " + problem;
        }
    }

    /**
     * Returns the exit code that says that a signal has ended a process.
     *
     * @param signal without {@code SIG}
     */
    static int codeOf(String signal) {
        return SIGNAL_BASE + numberOf(signal);
    }

    /**
     * Returns the number of a signal.
     *
     * @param signal without {@code SIG}
     */
    static int numberOf(String signal) {
        return Signalled.NAMES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(signal))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no signal SIG" + signal));
    }

    /** Returns the reason for an exit code as Java and shells report it. */
    static ExitReason of(int code) {
        int highest = 64;
        return code > SIGNAL_BASE && code <= SIGNAL_BASE + highest
                ? new Signalled(code - SIGNAL_BASE)
                : new Exited(code);
    }
}
