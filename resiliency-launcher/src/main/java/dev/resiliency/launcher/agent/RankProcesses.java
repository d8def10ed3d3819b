package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentEvent.EndAdvised;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.attribution.RankEnd;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.OutputTail;
import dev.resiliency.launcher.log.RankOutput;
import dev.resiliency.launcher.process.ChildCommand;
import dev.resiliency.launcher.process.ChildProcess;
import dev.resiliency.launcher.process.ChildProcess.End;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.NotStartedException;
import dev.resiliency.launcher.process.ProcessTools;
import dev.resiliency.launcher.process.RefusedOption;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.StampFile;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a node. Confined to the thread that runs the agent: the kernel ends them with it. Those that are members of their
 * job go on while the agent goes from one store to the next, and are taken over there.
 */
final class RankProcesses implements AutoCloseable {
    /** What a process has by its place in the job, and learns only as it starts. */
    private static final List<String> OF_ITS_PART =
            List.of("RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK", "GROUP_WORLD_SIZE");

    /** How long to wait for what a process has printed, once it and its family have ended. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final RankCommand command;
    private final ProcessTools tools;
    private final RunDirectory directory;
    /** Null if a single process shares the streams of this one. */
    private final @Nullable RankOutput output;

    private final NodeStamps stamps;
    private final LauncherLog log;
    private final Map<Integer, Child> processes = new HashMap<>();
    /** Those that go on without an agent that has started them, or taken them over. */
    private final Set<Integer> adrift = new HashSet<>();
    /** Set by the thread of the agent, read by those that wait for the ends of processes. */
    private volatile AgentInbox agent = new AgentInbox();
    /** Null before the first store. */
    private @Nullable RankVariables variables;

    private @Nullable Seat seat;
    private @Nullable Master master;

    /** A process, and the variables with which it has started. */
    private record Child(ChildProcess process, Map<String, String> variables) {}

    RankProcesses(
            RankCommand command,
            ProcessTools tools,
            RunDirectory directory,
            @Nullable RankOutput output,
            NodeStamps stamps,
            LauncherLog log) {
        this.command = command;
        this.tools = tools;
        this.directory = directory;
        this.output = output;
        this.stamps = stamps;
        this.log = log;
    }

    /** Goes on with another store: brings what happens from now on there, and starts processes by these variables. */
    void moveTo(AgentInbox inbox, RankVariables there) {
        agent = inbox;
        variables = there;
        endAllBut(adrift);
        processes.keySet().retainAll(adrift);
        seat = null;
        master = null;
    }

    /** Lets those of some processes go on that are members of their job, as the agent goes to another store; returns which. */
    Set<Integer> letGo(Set<Integer> some) {
        some.stream().filter(number -> stamps.partOf(number) == JobPart.MEMBER).forEach(adrift::add);
        return Set.copyOf(adrift);
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
        RankVariables there = variables;
        if (current == null || where == null || there == null) {
            throw new IllegalStateException("a node without a seat starts no process");
        }
        Map<String, String> environment = there.of(current, where, number, restarts, promise);
        String name = current.nameOf(number);
        if (takeOver(number, environment, name + ", on the store at " + there.store())) {
            return;
        }
        try {
            stamps.open(number).ifPresent(file -> environment.put(StampFile.VARIABLE, file));
            ChildProcess started = ChildProcess.start(
                    new ChildCommand(command.of(number), environment),
                    tools,
                    directory,
                    output == null ? null : output.of(name, why),
                    end -> {
                        Optional<EndAdvised> advice = advice(name, end.reason());
                        agent.execute(() -> ended(number, environment, end, advice));
                    });
            processes.put(number, new Child(started, environment));
            stamps.begin(number);
            log.line("process %d runs %s%s".formatted(started.pid(), name, why.isEmpty() ? "" : " (" + why + ")"));
            agent.addFirst(new Started(number, started.pid()));
        } catch (NotStartedException e) {
            agent.execute(() -> report(number, new End(e.reason(), System.nanoTime())));
        }
    }

    /**
     * Takes over a process that goes on, if it has the same part in the job as before; otherwise it is ended.
     *
     * @return whether it has taken it over
     */
    private boolean takeOver(int number, Map<String, String> environment, String place) {
        Child child = processes.get(number);
        if (child == null || !adrift.remove(number)) {
            return false;
        }
        ChildProcess process = child.process();
        boolean isSame = OF_ITS_PART.stream()
                .allMatch(variable -> Objects.equals(
                        environment.get(variable), child.variables().get(variable)));
        if (process.hasEnded() || !isSame || !stamps.follow(number)) {
            process.kill();
            return false;
        }
        log.line("process %d goes on as %s".formatted(process.pid(), place));
        agent.addFirst(new Started(number, process.pid()));
        return true;
    }

    /**
     * Returns that the job had better end, if the JVM of a process refuses an option. On the thread that has waited for the end of the
     * process: it waits for the last words, too.
     */
    private Optional<EndAdvised> advice(String name, ExitReason reason) {
        OutputTail tail = reason.code() == RefusedOption.EXIT_CODE ? tail(name) : null;
        if (tail == null) {
            return Optional.empty();
        }
        try {
            tail.awaitEnd(LAST_WORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return RefusedOption.in(tail.lines())
                .map(line -> new EndAdvised("%s cannot run, whenever it starts: %s".formatted(name, line)));
    }

    /** A process has ended. If it is none of these any more, or goes on without an agent, nobody waits for its end. */
    private void ended(int number, Map<String, String> environment, End end, Optional<EndAdvised> advice) {
        Child child = processes.get(number);
        if (child != null && child.variables() == environment && !adrift.contains(number)) {
            advice.ifPresent(agent::add);
            report(number, end);
        }
    }

    private void report(int number, End end) {
        stamps.end(number).ifPresent(agent::add);
        agent.add(new Ended(number, new RankEnd(end.reason(), stamps.partOf(number)), end.at()));
    }

    /** Returns whether a signal has suspended a process. */
    boolean isSuspended(int number) {
        Child child = processes.get(number);
        return child != null && child.process().isSuspended(stamps.processOf(number));
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
        Child child = processes.get(number);
        if (child == null) {
            return false;
        }
        ChildProcess process = child.process();
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
        Child child = processes.get(number);
        if (child != null) {
            child.process().kill();
        }
    }

    /** Ends all that have not ended. */
    @Override
    public void close() {
        endAllBut(Set.of());
    }

    private void endAllBut(Set<Integer> some) {
        processes.forEach((number, child) -> {
            if (!some.contains(number) && !child.process().hasEnded()) {
                child.process().kill();
            }
        });
    }
}
