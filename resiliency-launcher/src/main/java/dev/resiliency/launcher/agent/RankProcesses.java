package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentAction.Start;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.attribution.Attribution;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.RankOutput;
import dev.resiliency.launcher.process.ChildCommand;
import dev.resiliency.launcher.process.ChildProcess;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.launcher.process.NotStartedException;
import dev.resiliency.launcher.process.OutputSink;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.spi.StampFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The processes of a node. Confined to the thread that runs the agent: the kernel ends them with it. */
final class RankProcesses {
    private final RankCommand command;
    private final RankVariables variables;
    private final ProcessTools tools;
    private final RunDirectory directory;
    /** Null if a single process shares the streams of this one. */
    private final @Nullable RankOutput output;

    private final NodeStamps monitor;
    private final Attribution attribution;
    private final LauncherLog log;
    private final Map<Integer, ChildProcess> processes = new HashMap<>();
    private @Nullable Seat seat;
    private @Nullable Master master;

    RankProcesses(
            RankCommand command,
            RankVariables variables,
            ProcessTools tools,
            RunDirectory directory,
            @Nullable RankOutput output,
            NodeStamps monitor,
            Attribution attribution,
            LauncherLog log) {
        this.command = command;
        this.variables = variables;
        this.tools = tools;
        this.directory = directory;
        this.output = output;
        this.monitor = monitor;
        this.attribution = attribution;
        this.log = log;
    }

    /**
     * Sets the seat of the node: processes that start from now on have their ranks by it.
     *
     * @param newMaster where rank 0 may host a store
     */
    void sit(Seat newSeat, Master newMaster) {
        seat = newSeat;
        master = newMaster;
        if (output != null) {
            output.enter(newSeat.cycle(), newSeat.nodes());
        }
    }

    /** Starts a process; returns that it runs, or why it does not. */
    Optional<AgentEvent> start(Start start, Consumer<AgentEvent> listener) {
        Seat current = seat;
        Master where = master;
        if (current == null || where == null) {
            throw new IllegalStateException("a node without a seat starts no process");
        }
        int number = start.process();
        Map<String, String> environment = variables.of(current, where, number, start.restarts(), start.promise());
        String name = current.nameOf(number);
        try {
            monitor.open(number).ifPresent(file -> environment.put(StampFile.VARIABLE, file));
            ChildCommand child = new ChildCommand(command.of(number), environment);
            ChildProcess started = ChildProcess.start(
                    child,
                    tools,
                    directory,
                    sinkOf(name, start.reason()),
                    end -> listener.accept(new Ended(number, end.reason(), end.at())));
            processes.put(number, started);
            monitor.begin(number);
            boolean hasRank = current.isFounder() && number < current.processes();
            attribution.started(
                    number,
                    name,
                    hasRank ? current.rank(number) : -1,
                    started.pid(),
                    start.promise(),
                    start.restarts() <= current.cycle());
            log.line("process %d runs %s%s"
                    .formatted(started.pid(), name, start.reason().isEmpty() ? "" : " (" + start.reason() + ")"));
            return Optional.of(new Started(number, started.pid()));
        } catch (NotStartedException e) {
            listener.accept(new Ended(number, e.reason(), System.nanoTime()));
            return Optional.empty();
        }
    }

    /** A process has not shown progress in time, and is ended. */
    void overdue(Overdue overdue) {
        ChildProcess process = processes.get(overdue.process());
        boolean isSuspended = process != null && process.isSuspended(monitor.processOf(overdue.process()));
        attribution.overdue(overdue.process(), overdue.reason(), isSuspended);
    }

    /** A process has ended, or could not be started. */
    void ended(Ended ended) {
        Seat current = seat;
        if (current != null && !(ended.reason() instanceof Shortage)) {
            String name = current.nameOf(ended.process());
            attribution.ended(
                    ended.process(),
                    name,
                    ended.end(),
                    output == null ? null : output.tail(name).orElse(null));
        }
    }

    private @Nullable OutputSink sinkOf(String name, String reason) {
        return output == null ? null : output.of(name, reason);
    }

    /** Sends a process and its group a signal. */
    void signal(int number, String signal) {
        ChildProcess process = processes.get(number);
        if (process == null) {
            return;
        }
        attribution.asked(number);
        try {
            process.signal(signal);
        } catch (IOException e) {
            log.line("process %d could not be sent a signal: %s".formatted(process.pid(), e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop ends at its next wait, and kills all
        }
    }

    /** Passes a signal on to those of a process and its children that handle it. */
    void pass(int number, String signal) {
        ChildProcess process = processes.get(number);
        if (process == null) {
            return;
        }
        try {
            if (!process.pass(signal)) {
                log.line("process %d does not handle SIG%s, and does not receive it".formatted(process.pid(), signal));
            }
        } catch (IOException e) {
            log.line("process %d could not be sent a signal: %s".formatted(process.pid(), e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop ends at its next wait, and kills all
        }
    }

    /** Lets a process go on, if it is suspended, and show what its threads do; returns false if it is no JVM. */
    boolean dump(int number) {
        ChildProcess process = processes.get(number);
        if (process == null) {
            return false;
        }
        try {
            if (process.dumpThreads(monitor.processOf(number))) {
                return true;
            }
            log.line("process %d is no JVM, and shows no threads".formatted(process.pid()));
        } catch (IOException e) {
            log.line("process %d could not be asked for its threads: %s".formatted(process.pid(), e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop ends at its next wait, and kills all
        }
        return false;
    }

    /** Ends a process at once. */
    void kill(int number) {
        ChildProcess process = processes.get(number);
        if (process != null) {
            attribution.asked(number);
            process.kill();
        }
    }

    /** Ends all that have not ended. */
    void killAll() {
        processes.values().stream().filter(process -> !process.hasEnded()).forEach(ChildProcess::kill);
    }
}
