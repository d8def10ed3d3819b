package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.agent.AgentAction.AskRestart;
import dev.resiliency.launcher.agent.AgentAction.AwaitFounders;
import dev.resiliency.launcher.agent.AgentAction.AwaitMemory;
import dev.resiliency.launcher.agent.AgentAction.CallCycle;
import dev.resiliency.launcher.agent.AgentAction.Dump;
import dev.resiliency.launcher.agent.AgentAction.EndJob;
import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentAction.Kill;
import dev.resiliency.launcher.agent.AgentAction.Leave;
import dev.resiliency.launcher.agent.AgentAction.Pass;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentAction.Signal;
import dev.resiliency.launcher.agent.AgentAction.Start;
import dev.resiliency.launcher.agent.AgentAction.TakeSeat;
import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Founded;
import dev.resiliency.launcher.agent.AgentEvent.Free;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.MemoryFree;
import dev.resiliency.launcher.agent.AgentEvent.NoProgress;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.Notified;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.agent.AgentEvent.Seated;
import dev.resiliency.launcher.agent.AgentEvent.ShowsNothing;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.agent.AgentEvent.Unhealthy;
import dev.resiliency.launcher.agent.AgentEvent.Unwrapped;
import dev.resiliency.launcher.attribution.Attribution;
import dev.resiliency.launcher.attribution.RankEnd;
import dev.resiliency.launcher.gpu.MemoryWait;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.JobBudget;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.NodeListener;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.launcher.status.NodeSnapshot;
import dev.resiliency.launcher.status.RankPublisher;
import dev.resiliency.store.Store;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does what an {@link Agent} decides. Confined to the thread that runs it, but for the queue of tasks, by which all others reach
 * that thread: it also starts the processes, which end with it.
 */
final class AgentLoop implements NodeListener {
    /** Nothing is due, but a wait has a limit. */
    private static final Duration LONG = Duration.ofHours(1);

    private final Agent agent;
    private final RankProcesses processes;
    private final NodeStamps monitor;
    private final JobLink link;
    private final JobBudget budget;
    private final Function<Consumer<String>, MemoryWait> reclaim;
    private final boolean hostsStore;
    private final Supplier<Master> master;
    private final Attribution attribution;
    private final LauncherLog log;
    private final BlockingQueue<Runnable> tasks; // written by any thread
    private final StatusService status;
    private final RankPublisher publisher;
    private final RestartNotes restarts;
    private @Nullable NodeSession session;
    private @Nullable HealthKeeper health;
    private boolean isLeaving;
    private @Nullable Exit exit;

    /** Null before the first. */
    private @Nullable MemoryWait memoryWait;

    /**
     * Creates the loop.
     *
     * @param reclaim begins to wait for the memory of the GPUs; its consumer receives what to say when the wait is over
     * @param tasks run on the thread of the loop
     * @param hostsStore whether the other agents need the store of this process
     * @param master finds a place on this node where rank 0 may host a store
     * @param status learns when this node has a seat
     */
    AgentLoop(
            Agent agent,
            RankProcesses processes,
            NodeStamps monitor,
            JobLink link,
            JobBudget budget,
            Function<Consumer<String>, MemoryWait> reclaim,
            boolean hostsStore,
            Supplier<Master> master,
            Attribution attribution,
            LauncherLog log,
            BlockingQueue<Runnable> tasks,
            StatusService status) {
        this.agent = agent;
        this.processes = processes;
        this.monitor = monitor;
        this.link = link;
        this.budget = budget;
        this.reclaim = reclaim;
        this.hostsStore = hostsStore;
        this.master = master;
        this.attribution = attribution;
        this.log = log;
        this.tasks = tasks;
        this.status = status;
        restarts = new RestartNotes(
                monitor::restartsAfter,
                (restart, time) -> session().report(restart, time),
                System::currentTimeMillis,
                System::nanoTime);
        publisher = new RankPublisher(
                new RankSnapshots(agent.slots(), attribution::stamps, System::currentTimeMillis, System::nanoTime)
                        ::read,
                monitor::sections,
                this::publish,
                System::nanoTime,
                System::currentTimeMillis);
    }

    private void publish(NodeSnapshot snapshot) {
        session().publishRanks(snapshot.json());
        restarts.look(snapshot.ranks(), agent.slots().group(), session().isLowest());
    }

    /** Asks the agent to end. May be called by any thread. */
    void stop(String signal) {
        tasks.add(() -> handle(new StopAsked(signal)));
    }

    /** Passes a signal on that asks nobody to end. May be called by any thread. */
    void pass(String signal) {
        tasks.add(() -> handle(new Notified(signal)));
    }

    /** Looks at once what the ranks ask for. May be called by any thread. */
    void lookAtRanks() {
        tasks.add(() -> monitor.look().forEach(this::handle));
    }

    /**
     * Runs the agent until its end. Whatever is thrown on this thread ends the agent: it could not know what it has missed.
     *
     * @throws InterruptedException if this thread is interrupted; its processes are then killed
     */
    Exit run(NodeSession ofThisNode, HealthKeeper healthOfThisNode) throws InterruptedException {
        session = ofThisNode;
        monitor.share(ofThisNode);
        health = healthOfThisNode;
        try {
            healthOfThisNode.begin();
            while (exit == null) {
                Runnable task = tasks.poll(untilTick().toNanos(), TimeUnit.NANOSECONDS);
                if (task != null) {
                    task.run();
                } else {
                    ofThisNode.tick();
                    healthOfThisNode.tick();
                    monitor.look().forEach(this::handle);
                    handle(new Tick());
                }
                if (!isLeaving) { // who leaves still writes the last report
                    attribution.lead(ofThisNode.isLowest());
                }
                attribution.look();
                publisher.look();
            }
            return exit;
        } catch (RuntimeException | Error e) {
            ofThisNode.abandon(); // the others learn that this node is lost
            return new Exit(ExitCode.FAILED, "this agent has failed, by a defect of its own: " + traceOf(e));
        } finally {
            processes.killAll();
            endMemoryWait();
        }
    }

    private static String traceOf(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString().strip();
    }

    /** This node is to leave, for this reason. */
    void unhealthy(String reason) {
        handle(new Unhealthy(reason));
    }

    private Duration untilTick() {
        return Stream.of(
                        agent.untilTick(),
                        session().untilTick(),
                        publisher.untilDue(),
                        health().untilTick(),
                        monitor.untilLook(),
                        attribution.untilLook())
                .flatMap(Optional::stream)
                .min(Duration::compareTo)
                .orElse(LONG);
    }

    private NodeSession session() {
        if (session == null) {
            throw new IllegalStateException("the loop does not run");
        }
        return session;
    }

    private HealthKeeper health() {
        if (health == null) {
            throw new IllegalStateException("the loop does not run");
        }
        return health;
    }

    private void handle(AgentEvent what) {
        AgentEvent event = what instanceof Ended end
                ? new Ended(end.process(), new RankEnd(end.reason(), monitor.partOf(end.process())), end.at())
                : what;
        if (event instanceof Ended ended) {
            monitor.end(ended.process()).ifPresent(this::handle);
        } else if (event instanceof CycleCalled called) {
            monitor.tell(seat -> new WorldEvent.Pausing(called.cycle(), seat.worldSize()));
        } else if (event instanceof Drained || event instanceof StopAsked) {
            monitor.tell(seat -> new WorldEvent.Draining(seat.cycle(), seat.worldSize()));
        }
        attribute(event);
        for (AgentAction action : agent.on(event)) {
            perform(action);
        }
        attribution.askedAll();
    }

    private void attribute(AgentEvent event) {
        if (event instanceof Ended ended) {
            processes.ended(ended);
        } else if (event instanceof Overdue overdue) {
            processes.overdue(overdue);
        }
    }

    private void perform(AgentAction action) {
        if (action instanceof Start start) {
            processes.start(start, this::later).ifPresent(this::handle);
            return;
        }
        if (action instanceof Exit ends) {
            exit = ends;
            return;
        }
        log.line(action.reason());
        if (action instanceof Signal signal) {
            processes.signal(signal.process(), signal.name());
        } else if (action instanceof Pass pass) {
            processes.pass(pass.process(), pass.name());
        } else if (action instanceof Dump dump) {
            if (!processes.dump(dump.process())) {
                later(new ShowsNothing(dump.process()));
            }
        } else if (action instanceof Kill kill) {
            processes.kill(kill.process());
        } else if (action instanceof TakeSeat take) {
            health().awaitSeat(take.cycle());
        } else if (action instanceof AwaitFounders) {
            awaitFounders();
        } else if (action instanceof AwaitMemory) {
            endMemoryWait();
            memoryWait = reclaim.apply(note -> later(new MemoryFree(note)));
        } else if (action instanceof AskRestart ask) {
            if (ask.needsWrapper()) {
                ifWrapped(() -> ask(ask.process()));
            } else {
                ask(ask.process());
            }
            health().rankFailed();
        } else if (action instanceof CallCycle call) {
            session().callCycle(call.cycle(), call.reason(), this::pay);
        } else if (action instanceof Report report) {
            session().report(report.kind(), report.text());
        } else if (action instanceof EndJob end) {
            session().endJob(end.code(), end.reason());
        } else if (action instanceof Leave leave) {
            isLeaving = true;
            attribution.leaving();
            health().leave();
            if (leave.hasCompleted()) {
                link.complete();
            }
            session().leave(leave.hasCompleted(), hostsStore);
        }
    }

    private void ask(int process) {
        monitor.judgeProgress(
                process,
                () -> session().askRestart(budget, number -> promise(process, number)),
                reason -> handle(new NoProgress(reason)));
    }

    /** Goes on if a rank has ever called a wrapper, or that cannot be known. */
    @SuppressWarnings("FutureReturnValueIgnored") // handled by its listener
    private void ifWrapped(Runnable goesOn) {
        link.hasBegun()
                .whenComplete((hasBegun, failure) -> tasks.add(() -> {
                    if (failure == null && !hasBegun) {
                        handle(new Unwrapped());
                    } else {
                        goesOn.run();
                    }
                }));
    }

    private void endMemoryWait() {
        if (memoryWait != null) {
            memoryWait.close();
        }
    }

    /** Handles an event on the thread of the loop. May be called by any thread. */
    private void later(AgentEvent event) {
        tasks.add(() -> handle(event));
    }

    private void pay(boolean isCaller) {
        if (isCaller) {
            monitor.judgeProgress(
                    Agent.WHOLE_JOB,
                    () -> session()
                            .askRestart(
                                    budget, number -> later(new Granted(Agent.WHOLE_JOB, number, OptionalInt.empty()))),
                    reason -> handle(new NoProgress(reason)));
        }
    }

    /** The promise comes before the process: whoever waits for a replacement then knows of it at once. */
    @SuppressWarnings("FutureReturnValueIgnored") // a job that takes no promise gets its process without one
    private void promise(int process, int number) {
        if (number == 0 || process < 0) {
            later(new Granted(process, number, OptionalInt.empty()));
            return;
        }
        link.promise()
                .exceptionally(failure -> OptionalInt.empty())
                .thenAccept(promise -> later(new Granted(process, number, promise)));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // handled by its listener
    private void awaitFounders() {
        link.founded(Store.FOREVER).whenComplete((done, failure) -> {
            if (failure == null) {
                later(new Founded());
            }
        });
    }

    @Override
    public void seated(Seat seat) {
        session().master(seat, master.get(), where -> enter(seat, where));
    }

    private void enter(Seat seat, Master where) {
        log.line(seat.toString());
        link.open(seat.worldSize());
        attribution.seated(seat.cycle(), seat.worldSize());
        processes.sit(seat, where);
        monitor.sit(seat);
        handle(new Seated(seat));
        publisher.begin(seat.nodes());
        status.seated(seat);
    }

    @Override
    public void refused(String reason) {
        attribution.refused(reason);
        handle(new Failed(reason));
    }

    @Override
    public void nodesMissing(String reason) {
        attribution.nodesMissing(reason);
        handle(new Failed(reason));
    }

    @Override
    public void jobEnded(int code, String reason) {
        handle(new JobEnded(code, reason));
    }

    @Override
    public void cycleCalled(int cycle, String reason) {
        handle(new CycleCalled(cycle, reason));
    }

    @Override
    public void drained(String reason) {
        handle(new Drained(reason));
    }

    @Override
    public void nodeGone(String what) {
        handle(new NodeGone(what));
    }

    @Override
    public void nodeLost(String name) {
        attribution.nodeLost(name);
    }

    @Override
    public void noted(String line) {
        log.line(line);
    }

    @Override
    public void free() {
        handle(new Free());
    }

    @Override
    public void lost(String reason) {
        attribution.storeLost(reason);
        handle(new Failed("this agent cannot go on without its store: " + reason
                + ". If the node that hosts it may fail, host it elsewhere: start 'resiliency store' and name it with"
                + " --rdzv-endpoint"));
    }
}
