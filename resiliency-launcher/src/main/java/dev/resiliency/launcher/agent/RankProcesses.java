package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.attribution.RankEnd;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.OutputTail;
import dev.resiliency.launcher.log.RankOutput;
import dev.resiliency.launcher.process.ChildCommand;
import dev.resiliency.launcher.process.ChildProcess;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.NotStartedException;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.spi.StampFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The processes of a node. Confined to the thread that runs the agent: the kernel ends them with it. */
final class RankProcesses {
    private final RankCommand command;
    private final RankVariables variables;
    private final ProcessTools tools;
    private final RunDirectory directory;
    /** Null if a single process shares the streams of this one. */
    private final @Nullable RankOutput output;

    private final NodeStamps stamps;
    private final AgentInbox agent;
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
            NodeStamps stamps,
            AgentInbox agent,
            LauncherLog log) {
        this.command = command;
        this.variables = variables;
        this.tools = tools;
        this.directory = directory;
        this.output = output;
        this.stamps = stamps;
        this.agent = agent;
        this.log = log;
    }

    /** Sets where rank 0 may host a store. */
    void setMaster(Master newMaster) {
        master = newMaster;
    }

    /** Sets the seat of the node: processes that start from now on have their ranks by it. */
    void sit(Seat newSeat) {
        seat = newSeat;
        if (output != null) {
            output.enter(newSeat.cycle(), newSeat.nodes());
        }
    }

    /** Starts a process, and lets the agent know that it runs, or why it does not. */
    void start(int number, int restarts, OptionalInt promise, String why) {
        Seat current = seat;
        Master where = master;
        if (current == null || where == null) {
            throw new IllegalStateException("a node without a seat starts no process");
        }
        Map<String, String> environment = variables.of(current, where, number, restarts, promise);
        String name = current.nameOf(number);
        try {
            stamps.open(number).ifPresent(file -> environment.put(StampFile.VARIABLE, file));
            ChildProcess started = ChildProcess.start(
                    new ChildCommand(command.of(number), environment),
                    tools,
                    directory,
                    output == null ? null : output.of(name, why),
                    end -> ended(number, end.reason(), end.at()));
            processes.put(number, started);
            stamps.begin(number);
            log.line("process %d runs %s%s".formatted(started.pid(), name, why.isEmpty() ? "" : " (" + why + ")"));
            agent.addFirst(new Started(number, started.pid()));
        } catch (NotStartedException e) {
            ended(number, e.reason(), System.nanoTime());
        }
    }

    /** A process has ended, or could not be started. Any thread may call it. */
    private void ended(int number, ExitReason reason, long at) {
        agent.execute(() -> {
            stamps.end(number).ifPresent(agent::add);
            agent.add(new Ended(number, new RankEnd(reason, stamps.partOf(number)), at));
        });
    }

    /** Returns whether a signal has suspended a process. */
    boolean isSuspended(int number) {
        ChildProcess process = processes.get(number);
        return process != null && process.isSuspended(stamps.processOf(number));
    }

    /** Returns what a process of this name has printed last; null if it does not print to this agent. */
    @Nullable
    OutputTail tail(String name) {
        return output == null ? null : output.tail(name).orElse(null);
    }

    /** Sends a process and its group a signal. */
    void signal(int number, String signal) {
        attempt(number, "be sent a signal", process -> {
            process.signal(signal);
            return true;
        });
    }

    /** Passes a signal on to those of a process and its children that handle it. */
    void pass(int number, String signal) {
        attempt(number, "be sent a signal", process -> {
            if (!process.pass(signal)) {
                log.line("process %d does not handle SIG%s, and does not receive it".formatted(process.pid(), signal));
            }
            return true;
        });
    }

    /** Lets a process go on, if it is suspended, and show what its threads do; returns false if it is no JVM. */
    boolean dump(int number) {
        return attempt(number, "be asked for its threads", process -> {
            boolean isJvm = process.dumpThreads(stamps.processOf(number));
            if (!isJvm) {
                log.line("process %d is no JVM, and shows no threads".formatted(process.pid()));
            }
            return isJvm;
        });
    }

    private interface Attempt {
        boolean on(ChildProcess process) throws IOException, InterruptedException;
    }

    private boolean attempt(int number, String what, Attempt attempt) {
        ChildProcess process = processes.get(number);
        if (process == null) {
            return false;
        }
        try {
            return attempt.on(process);
        } catch (IOException e) {
            log.line("process %d could not %s: %s".formatted(process.pid(), what, e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop ends at its next wait, and kills all
        }
        return false;
    }

    /** Ends a process at once. */
    void kill(int number) {
        ChildProcess process = processes.get(number);
        if (process != null) {
            process.kill();
        }
    }

    /** Ends all that have not ended. */
    void killAll() {
        processes.values().stream().filter(process -> !process.hasEnded()).forEach(ChildProcess::kill);
    }
}
