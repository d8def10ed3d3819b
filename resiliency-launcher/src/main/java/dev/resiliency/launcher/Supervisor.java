package dev.resiliency.launcher;

import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.ChildCommand;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.ReceivedSignals;
import dev.resiliency.launcher.process.RunDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Runs a command, and runs it again when it fails: what {@code resiliency supervise} does, for a program that embeds it.
 *
 * <pre>{@code
 * int exitCode = Supervisor.builder().budget(RestartBudget.of(3)).build().run(List.of("java", "-jar", "train.jar"));
 * }</pre>
 *
 * <p>The command shares the standard streams of this process. It ends with this process, even if that is killed. A process
 * that joins a job needs no other arguments than one that founds it, so the command and its environment stay the same.
 *
 * @since 0.1.0
 */
public final class Supervisor {
    private final SupervisorSettings settings;
    private final Path runDirectory;
    private final Map<String, String> environment;

    private Supervisor(SupervisorSettings settings, Path runDirectory, Map<String, String> environment) {
        this.settings = settings;
        this.runDirectory = runDirectory;
        this.environment = environment;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Runs a command until it needs not be started again. Meanwhile, SIGHUP, SIGINT and SIGTERM do not end this process:
     * the command receives them. So it does SIGUSR1 and SIGUSR2, if it handles them.
     *
     * @param command the program and its arguments
     * @return the exit code for this process, as {@link ExitCode} and the guide say: that of the command if it is 0, {@link
     *     ExitCode#REPLACE_HOST} or after a signal; otherwise why it is not started again
     * @throws UnsupportedOperationException if this system is not Linux
     * @throws InterruptedException if this thread is interrupted; the command is then killed
     */
    @SuppressWarnings("try") // the signals only need to be received
    public int run(List<String> command) throws InterruptedException {
        LauncherLog log = LauncherLog.standard();
        RunDirectory directory = RunDirectory.openOrNone(runDirectory, log::line);
        ProcessTools tools = ProcessTools.find(System.getenv().getOrDefault("PATH", ""));
        tools.missing().ifPresent(log::line);
        SupervisorLoop loop = new SupervisorLoop(
                new SupervisedProcess(settings, System::nanoTime, new Random()),
                new ChildCommand(command, environment),
                tools,
                directory,
                log);
        try (ReceivedSignals signals = ReceivedSignals.receiveIfPossible(loop::stop, loop::pass, log::line)) {
            return loop.run();
        }
    }

    /** Collects the settings of a {@link Supervisor}. Not safe for use by several threads. */
    public static final class Builder {
        private SupervisorSettings settings = SupervisorSettings.DEFAULT;
        private Path runDirectory = RunDirectory.byDefault();
        private final Map<String, String> environment = new HashMap<>();

        private Builder() {}

        /** Sets how often the command is started again. 10 times within an hour by default. */
        public Builder budget(RestartBudget value) {
            settings = settings.with(value);
            return this;
        }

        /** Sets how long to wait before a restart. 1 s to 1 min by default. */
        public Builder backoff(Backoff value) {
            settings = settings.with(value);
            return this;
        }

        /** Sets how long the command may take to end after a signal, before it is killed. 30 s by default. */
        public Builder grace(Duration value) {
            settings = settings.withGrace(value);
            return this;
        }

        /**
         * Sets how many failures in a row at start-up end the supervision, and within which time a failure is one at
         * start-up. 5 within 10 s each by default.
         *
         * @param maxFailures 0 for no limit
         */
        public Builder startup(Duration time, int maxFailures) {
            settings = settings.withStartup(time, maxFailures);
            return this;
        }

        /**
         * Sets the exit codes after which the command is not started again. 0, {@link ExitCode#DO_NOT_RESTART} and 130, which is
         * {@code RestartAbort}'s, by default. After another one of these, the supervisor exits with it, too.
         *
         * @throws IllegalArgumentException if one is not from 0 to 255
         */
        public Builder cleanExitCodes(Set<Integer> value) {
            settings = settings.withCleanExitCodes(value);
            return this;
        }

        /**
         * Sets the directory in which the supervisors of this user note their processes, so that the next one can end what
         * a supervisor that was killed has left behind. Nobody else may write to it. By default {@code
         * $XDG_RUNTIME_DIR/resiliency}, or {@code resiliency-USER} in the directory for temporary files.
         */
        public Builder runDirectory(Path value) {
            runDirectory = value;
            return this;
        }

        /** Sets an environment variable of the command, in addition to those of this process. */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Returns the supervisor. */
        public Supervisor build() {
            return new Supervisor(settings, runDirectory, Map.copyOf(environment));
        }
    }
}
