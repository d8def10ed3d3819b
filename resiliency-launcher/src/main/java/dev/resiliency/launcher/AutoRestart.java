package dev.resiliency.launcher;

import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.ChildProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a program supervise itself, with one line at the top of {@code main}:
 *
 * <pre>{@code
 * public static void main(String[] args) throws Exception {
 *     AutoRestart.superviseThisProcess(args);
 *     train(args); // in the child
 * }
 * }</pre>
 *
 * <p>The process that calls it first becomes the supervisor: it starts the same command line again as its child, and again
 * when that fails, and exits with its fate. The child returns from the call and goes on. Corresponds to
 * nvidia-resiliency-ext's {@code fork_and_monitor()}.
 *
 * <p>The command line is that of {@code /proc/self/cmdline}, with the environment of this process: so options, class path or
 * module path, agents, main class or jar, arguments, {@code @argfiles} and {@code JAVA_TOOL_OPTIONS} stay the same. These do
 * not:
 *
 * <ul>
 *   <li>what only one process can have, since the supervisor has it already: a port of an agent or of
 *       {@code com.sun.management.jmxremote.port}; a file of {@code -Xlog} or a recording, unless its name contains
 *       {@code %p}. Start such a program with {@code resiliency supervise} instead
 *   <li>memory that the options reserve at once ({@code -Xms} with {@code -XX:+AlwaysPreTouch}) is taken twice
 *   <li>what happened before the call: static initializers and agents run in both processes
 * </ul>
 *
 * <p>Nothing is supervised if {@code RESILIENCY_AUTO_RESTART} is 0, under a debugger, in the child and in all that it starts
 * ({@code RESILIENCY_SUPERVISED} is set), below {@code resiliency supervise}, or on another system than Linux.
 *
 * @since 0.1.0
 */
public final class AutoRestart {
    private static final String SWITCH = "RESILIENCY_AUTO_RESTART";
    private static final String DEBUGGER = "-agentlib:jdwp";
    private static final String OLD_DEBUGGER = "-Xrunjdwp";

    private AutoRestart() {}

    /** Supervises this program with the defaults of {@link Supervisor}: see {@link #superviseThisProcess(String[], Supervisor)}. */
    public static void superviseThisProcess(String[] arguments) throws InterruptedException {
        superviseThisProcess(arguments, Supervisor.builder().build());
    }

    /**
     * Supervises this program: returns in the child, and never in the supervisor, which exits with the code that {@link
     * Supervisor#run} returns. Returns at once where nothing is to be supervised.
     *
     * @param arguments those of {@code main}, unchanged
     * @throws IllegalArgumentException if they are not the end of this process's command line: then something else was
     *     started than this program, and would be started again; also for a value of {@code RESILIENCY_AUTO_RESTART} other
     *     than 0 and 1
     * @throws InterruptedException if this thread is interrupted; the child is then killed
     */
    public static void superviseThisProcess(String[] arguments, Supervisor supervisor) throws InterruptedException {
        if (System.getenv(ChildProcess.MARK) != null || !isSwitchedOn(System.getenv(SWITCH))) {
            return;
        }
        if (isDebugged()) {
            LauncherLog.standard().line("this program runs under a debugger, so it is not supervised");
            return;
        }
        List<String> command;
        try {
            command = OwnCommandLine.read().checked(List.of(arguments)).command();
        } catch (IOException e) {
            LauncherLog.standard()
                    .line("the command line of this process cannot be read (%s), so it is not supervised".formatted(e));
            return;
        }
        System.exit(supervisor.run(command));
    }

    private static boolean isSwitchedOn(@Nullable String value) {
        if (value == null || value.equals("1")) {
            return true;
        }
        if (value.equals("0")) {
            return false;
        }
        throw new IllegalArgumentException("%s is '%s': it must be 0 or 1".formatted(SWITCH, value));
    }

    private static boolean isDebugged() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .anyMatch(option -> option.startsWith(DEBUGGER) || option.startsWith(OLD_DEBUGGER));
    }
}
