package dev.resiliency.launcher;

import dev.resiliency.launcher.SupervisionAction.Exit;
import dev.resiliency.launcher.SupervisionAction.Kill;
import dev.resiliency.launcher.SupervisionAction.Pass;
import dev.resiliency.launcher.SupervisionAction.Signal;
import dev.resiliency.launcher.SupervisionAction.Start;
import dev.resiliency.launcher.SupervisionAction.StartLater;
import dev.resiliency.launcher.SupervisionEvent.Ended;
import dev.resiliency.launcher.SupervisionEvent.Notified;
import dev.resiliency.launcher.SupervisionEvent.Started;
import dev.resiliency.launcher.SupervisionEvent.StopAsked;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.launcher.process.ExitReason.Signalled;
import dev.resiliency.launcher.process.KeptProcess;
import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.process.Verdict;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a supervised process: takes what happens, and returns what to do and why. Acts in no other way,
 * and never waits. Confined to one thread.
 *
 * <p>A scheduler that signals all processes of a job at once may reach the process before its supervisor. That looks like a
 * failure, but the signal that follows ends the wait for the restart, and with it the supervisor. After SIGINT it looks like
 * {@code RestartAbort}, and the supervisor ends with another code than the signal's.
 */
final class SupervisedProcess {
    private final SupervisorSettings settings;
    private final LongSupplier clock;
    private final RandomGenerator random;
    private final SpentRestarts restarts;

    private final KeptProcess process = new KeptProcess();
    /** The number of the restart that comes next, as the log says it; empty for the first start. */
    private String nextRestart = "";

    /** The signal that asked the supervisor to end; null before. */
    private @Nullable String stopSignal;

    /** Creates a supervision whose clock is {@link System#nanoTime}, or stands for it. */
    SupervisedProcess(SupervisorSettings settings, LongSupplier clock, RandomGenerator random) {
        this.settings = settings;
        this.clock = clock;
        this.random = random;
        restarts = new SpentRestarts(settings.budget());
    }

    /** Returns the first action. */
    SupervisionAction begin() {
        return start();
    }

    private SupervisionAction start() {
        process.start(clock.getAsLong());
        return new Start(nextRestart);
    }

    /** Returns how long until {@link SupervisionEvent.Tick} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        return Optional.ofNullable(process.deadline()).map(at -> Duration.ofNanos(Math.max(0, at - clock.getAsLong())));
    }

    /** Returns what to do about an event; empty for nothing. */
    Optional<SupervisionAction> on(SupervisionEvent event) {
        if (event instanceof Started started) {
            process.hasStarted(started.pid());
            return Optional.empty();
        }
        if (event instanceof Ended ended) {
            return Optional.of(ended(ended.reason(), ended.at()));
        }
        if (event instanceof StopAsked asked) {
            return stopAsked(asked.signal());
        }
        if (event instanceof Notified notified) {
            return process.state() == ProcessState.RUNNING
                    ? Optional.of(new Pass(
                            notified.signal(),
                            "received SIG%s: process %d receives it too, if it handles it"
                                    .formatted(notified.signal(), process.pid())))
                    : Optional.empty();
        }
        return tick();
    }

    private Optional<SupervisionAction> tick() {
        Long deadline = process.deadline();
        if (deadline == null || clock.getAsLong() - deadline < 0) {
            return Optional.empty();
        }
        return Optional.of(
                switch (process.state()) {
                    case WAITING -> start();
                    case STOPPING ->
                        kill("process %d has not ended within %s: it is killed"
                                .formatted(process.pid(), Durations.format(settings.grace())));
                    default ->
                        new Exit(
                                stopCode(),
                                "process %d does not end, although it was killed: it is left".formatted(process.pid()));
                });
    }

    private SupervisionAction kill(String reason) {
        process.kill(clock.getAsLong());
        return new Kill(reason);
    }

    private Optional<SupervisionAction> stopAsked(String signal) {
        boolean isFirst = stopSignal == null;
        if (isFirst) {
            stopSignal = signal;
        }
        return switch (process.state()) {
            case WAITING -> Optional.of(new Exit(stopCode(), "received SIG" + signal + ", while no process ran"));
            case RUNNING -> {
                process.enter(ProcessState.STOPPING, clock.getAsLong(), settings.grace());
                yield Optional.of(new Signal(
                        signal,
                        "received SIG%s: process %d receives it too, and has %s to end"
                                .formatted(signal, process.pid(), Durations.format(settings.grace()))));
            }
            case STOPPING ->
                Optional.of(kill("received SIG%s, after a signal before: process %d is killed"
                        .formatted(signal, process.pid())));
            default -> Optional.empty(); // it was killed
        };
    }

    /** Returns the exit code that says that the signal has ended this process. */
    private int stopCode() {
        return ExitReason.codeOf(Objects.requireNonNull(stopSignal, "no signal asked the supervisor to end"));
    }

    private SupervisionAction ended(ExitReason reason, long at) {
        Duration uptime = process.uptime(at);
        String what = reason.hasRun()
                ? "process %d %s after %s%s"
                        .formatted(
                                process.pid(),
                                stopSignal == null ? Verdict.describe(reason) : reason.description(),
                                Durations.format(uptime),
                                reason.more(uptime))
                : "the command " + reason.description();
        process.enter(ProcessState.IDLE);
        if (stopSignal != null) {
            int code = reason instanceof Signalled || reason instanceof Shortage ? stopCode() : reason.code();
            return new Exit(code, what + ", as SIG" + stopSignal + " asked");
        }
        if (reason instanceof Shortage) {
            return startLater(what);
        }
        return switch (Verdict.of(reason, settings.cleanExitCodes())) {
            case COMPLETED -> new Exit(reason.code(), what + ": completed");
            case ABORT -> new Exit(ExitCode.DO_NOT_RESTART, what + ": it asks not to be started again");
            case REPLACE_HOST -> new Exit(ExitCode.REPLACE_HOST, what + ": it asks to be started on another host");
            case CANNOT_START ->
                new Exit(
                        reason.code(), reason instanceof NotStarted ? what : what + ": the command cannot be executed");
            case FAILED -> failed(what, uptime);
        };
    }

    /** Says so once, however often it is tried. */
    private SupervisionAction startLater(String what) {
        String said = process.waitForResources(clock.getAsLong())
                ? what + "; it is tried again each " + Durations.format(Shortage.PAUSE)
                : "";
        return new StartLater(Shortage.PAUSE, said);
    }

    private SupervisionAction failed(String what, Duration uptime) {
        int failures = process.failed(uptime, settings.startupTime());
        if (failures > 0 && failures == settings.maxStartupFailures()) {
            return new Exit(
                    ExitCode.DO_NOT_RESTART,
                    "%s: it has failed %d times in a row within its first %s, so it is not started again"
                            .formatted(what, failures, Durations.format(settings.startupTime())));
        }
        int restart = restarts.grant(clock.getAsLong());
        if (restart == 0) {
            return new Exit(
                    ExitCode.DO_NOT_RESTART,
                    "%s: not started again, as the restarts are spent (%s)".formatted(what, settings.budget()));
        }
        Duration delay = settings.backoff().delay(failures, random);
        process.enter(ProcessState.WAITING, clock.getAsLong(), delay);
        nextRestart = "restart %d of %s".formatted(restart, settings.budget());
        return new StartLater(
                delay,
                "%s: %s, %s"
                        .formatted(what, nextRestart, delay.isZero() ? "at once" : "in " + Durations.format(delay)));
    }
}
