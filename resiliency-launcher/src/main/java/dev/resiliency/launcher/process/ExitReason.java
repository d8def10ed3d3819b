package dev.resiliency.launcher.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Why a process has ended, or why there is none. */
public sealed interface ExitReason {
    /** Added to the number of a signal, it is the exit code of a process that the signal has ended. */
    int SIGNAL_BASE = 128;

    /** A process that SIGKILL has not ended by then is stuck in the kernel. */
    Duration KILL_LIMIT = Duration.ofSeconds(20);

    /** Returns the code with which a shell would report this. */
    int code();

    /** Returns what happened, as the end of a sentence about the process: {@code was ended by SIGKILL}. */
    String description();

    /** Returns whether there was a process. */
    default boolean hasRun() {
        return true;
    }

    /**
     * Returns what else there is to say, behind the sentence; empty if there is nothing.
     *
     * @param uptime how long the process has run
     */
    default String more(Duration uptime) {
        return "";
    }

    /**
     * The process ended by itself, with this exit code.
     *
     * @param left how many processes that it had started went on, and were ended; counted if it has ended without an error
     */
    record Exited(int code, int left) implements ExitReason {
        /** Whoever trains takes longer. */
        private static final Duration BRIEF = Duration.ofSeconds(10);

        @Override
        public String description() {
            return "exited with code " + code;
        }

        @Override
        public String more(Duration uptime) {
            if (left == 0) {
                return "";
            }
            String what = left == 1
                    ? ", and has left 1 process behind, which was ended"
                    : ", and has left %d processes behind, which were ended".formatted(left);
            return uptime.compareTo(BRIEF) >= 0
                    ? what
                    : what + " (a command that starts the training in the background has to wait for it)";
        }
    }

    /**
     * A signal ended the process, or it exited with the code that says so, as a JVM does after SIGTERM: Java does not tell
     * these apart.
     *
     * @param number of the signal
     */
    record Signalled(int number) implements ExitReason {
        private static final Map<Integer, String> NAMES = Map.ofEntries(
                Map.entry(1, "HUP"),
                Map.entry(2, "INT"),
                Map.entry(3, "QUIT"),
                Map.entry(4, "ILL"),
                Map.entry(5, "TRAP"),
                Map.entry(6, "ABRT"),
                Map.entry(7, "BUS"),
                Map.entry(8, "FPE"),
                Map.entry(9, "KILL"),
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
        public boolean hasRun() {
            return false;
        }

        @Override
        public String description() {
            return "could not be started: " + problem;
        }
    }

    /**
     * The process could not be started for now, as the host or this process lacks descriptors, memory or threads: nothing is wrong with
     * the command, and it should be tried again. Once ranks run, that is: while an agent starts, nothing is lost yet, and it exits.
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
        public boolean hasRun() {
            return false;
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
                : new Exited(code, 0);
    }
}
