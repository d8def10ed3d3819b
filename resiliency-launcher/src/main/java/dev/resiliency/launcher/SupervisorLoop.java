package dev.resiliency.launcher;

import dev.resiliency.launcher.SupervisionAction.Exit;
import dev.resiliency.launcher.SupervisionAction.Kill;
import dev.resiliency.launcher.SupervisionAction.Pass;
import dev.resiliency.launcher.SupervisionAction.Signal;
import dev.resiliency.launcher.SupervisionAction.Start;
import dev.resiliency.launcher.SupervisionEvent.Ended;
import dev.resiliency.launcher.SupervisionEvent.Notified;
import dev.resiliency.launcher.SupervisionEvent.Started;
import dev.resiliency.launcher.SupervisionEvent.StopAsked;
import dev.resiliency.launcher.SupervisionEvent.Tick;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.ChildCommand;
import dev.resiliency.launcher.process.ChildProcess;
import dev.resiliency.launcher.process.NotStartedException;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RunDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Does what a {@link SupervisedProcess} decides. Confined to the thread that runs it, but for the queue of events: that thread
 * also starts the processes, which end with it (see {@link ChildProcess}).
 */
final class SupervisorLoop {
    /** Nothing is due, but a wait has a limit. */
    private static final long LONG_SECONDS = 3600;

    private static final int LONGEST_WORD = 60;

    private final SupervisedProcess supervision;
    private final ChildCommand command;
    private final ProcessTools tools;
    private final RunDirectory directory;
    private final LauncherLog log;
    private final BlockingQueue<SupervisionEvent> events = new LinkedBlockingQueue<>(); // written by any thread
    private @Nullable ChildProcess child;

    SupervisorLoop(
            SupervisedProcess supervision,
            ChildCommand command,
            ProcessTools tools,
            RunDirectory directory,
            LauncherLog log) {
        this.supervision = supervision;
        this.command = command;
        this.tools = tools;
        this.directory = directory;
        this.log = log;
    }

    /** Asks the supervisor to end. May be called by any thread. */
    void stop(String signal) {
        events.add(new StopAsked(signal));
    }

    /** Passes a signal on that asks nobody to end. May be called by any thread. */
    void pass(String signal) {
        events.add(new Notified(signal));
    }

    /**
     * Supervises until the end; returns the exit code.
     *
     * @throws InterruptedException if this thread is interrupted; the process is then killed
     */
    int run() throws InterruptedException {
        try {
            Optional<SupervisionAction> action = Optional.of(supervision.begin());
            while (true) {
                if (action.isPresent()) {
                    if (action.get() instanceof Exit exit) {
                        log.line(exit.reason() + "; exit code " + exit.code());
                        return exit.code();
                    }
                    perform(action.get());
                }
                action = supervision.on(await());
            }
        } finally {
            killWhatIsLeft();
        }
    }

    private SupervisionEvent await() throws InterruptedException {
        long nanos = supervision.untilTick().map(Duration::toNanos).orElse(TimeUnit.SECONDS.toNanos(LONG_SECONDS));
        SupervisionEvent event = events.poll(nanos, TimeUnit.NANOSECONDS);
        return event == null ? new Tick() : event;
    }

    private void perform(SupervisionAction action) throws InterruptedException {
        if (action instanceof Start start) {
            start(start.reason());
            return;
        }
        log.line(action.reason());
        if (child == null) {
            return;
        }
        try {
            if (action instanceof Signal signal) {
                child.signal(signal.name());
            } else if (action instanceof Pass pass) {
                child.pass(pass.name());
            } else if (action instanceof Kill) {
                child.kill();
            }
        } catch (IOException e) {
            log.line("process %d could not be sent a signal: %s".formatted(child.pid(), e.getMessage()));
        }
    }

    private void start(String reason) {
        try {
            ChildProcess started = ChildProcess.start(
                    command, tools, directory, null, end -> events.add(new Ended(end.reason(), end.at())));
            child = started;
            supervision.on(new Started(started.pid()));
            log.line("process %d runs %s%s"
                    .formatted(
                            started.pid(),
                            abbreviated(command.command()),
                            reason.isEmpty() ? "" : " (" + reason + ")"));
        } catch (NotStartedException e) {
            events.add(new Ended(e.reason(), System.nanoTime()));
        }
    }

    /** Class paths are long. */
    private static String abbreviated(List<String> command) {
        return command.stream()
                .map(word -> word.length() <= LONGEST_WORD ? word : word.substring(0, LONGEST_WORD) + "…")
                .collect(Collectors.joining(" "));
    }

    private void killWhatIsLeft() {
        if (child != null && !child.hasEnded()) {
            child.kill();
        }
    }
}
