package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentEvent.CallAnswered;
import dev.resiliency.launcher.agent.AgentEvent.Checked;
import dev.resiliency.launcher.agent.AgentEvent.Founded;
import dev.resiliency.launcher.agent.AgentEvent.Granted;
import dev.resiliency.launcher.agent.AgentEvent.MemoryFree;
import dev.resiliency.launcher.agent.AgentEvent.ProgressShared;
import dev.resiliency.launcher.agent.AgentEvent.Promised;
import dev.resiliency.launcher.agent.AgentEvent.Seated;
import dev.resiliency.launcher.agent.AgentEvent.ShowsNothing;
import dev.resiliency.launcher.agent.AgentEvent.WentOn;
import dev.resiliency.launcher.agent.AgentEvent.Wrapped;
import dev.resiliency.launcher.gpu.MemoryWait;
import dev.resiliency.launcher.health.HealthWatch;
import dev.resiliency.launcher.rendezvous.JobBudget;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.launcher.rendezvous.Stay;
import dev.resiliency.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Performs what an {@link Agent} decides, and brings it the answers. Confined to the thread of the agent. */
final class NodeEffects implements Effects, AutoCloseable {
    private final AgentInbox agent;
    private final NodeSession session;
    private final RankProcesses processes;
    private final NodeStamps stamps;
    private final JobLink link;
    private final HealthWatch health;
    private final JobBudget budget;
    private final Function<Consumer<String>, MemoryWait> reclaim;
    private final Supplier<Master> ownMaster;
    private final boolean hostsStore;
    /** Null before the first. */
    private @Nullable MemoryWait memoryWait;

    private @Nullable Exit exit;

    /**
     * Creates the effects of a node.
     *
     * @param reclaim begins to wait for the memory of the GPUs; its consumer receives what to say when the wait is over
     * @param ownMaster finds a place on this node where rank 0 may host a store
     * @param hostsStore whether the other agents need the store of this process
     */
    NodeEffects(
            AgentInbox agent,
            NodeSession session,
            RankProcesses processes,
            NodeStamps stamps,
            JobLink link,
            HealthWatch health,
            JobBudget budget,
            Function<Consumer<String>, MemoryWait> reclaim,
            Supplier<Master> ownMaster,
            boolean hostsStore) {
        this.agent = agent;
        this.session = session;
        this.processes = processes;
        this.stamps = stamps;
        this.link = link;
        this.health = health;
        this.budget = budget;
        this.reclaim = reclaim;
        this.ownMaster = ownMaster;
        this.hostsStore = hostsStore;
    }

    /** Returns how long until {@link #tick} is due; empty if it is not. */
    Optional<Duration> untilTick() {
        return Stream.concat(session.untilTick().stream(), stamps.untilLook().stream())
                .min(Duration::compareTo);
    }

    /** Does what is due. */
    void tick() {
        session.tick();
        lookAtRanks();
    }

    /** Looks what the ranks ask for. */
    void lookAtRanks() {
        stamps.look().forEach(agent::add);
    }

    /** Lets the others learn that this node is lost. */
    void abandon() {
        session.abandon();
    }

    @Override
    public void report(JobEvent.Kind kind, String text) {
        session.report(kind, text);
    }

    @Override
    public void check() {
        health.check(findings -> agent.later(new Checked(findings)));
    }

    @Override
    public void markHealthy() {
        session.markHealthy();
    }

    @Override
    public void markUnhealthy(String problem) {
        session.markUnhealthy(problem);
    }

    @Override
    public void arrive() {
        session.arrive();
    }

    @Override
    public void takeSeat(int cycle) {
        session.awaitSeat(cycle);
    }

    @Override
    public void findMaster(Seat seat) {
        session.master(seat, ownMaster.get(), master -> {
            processes.setMaster(master);
            agent.add(new Seated(seat));
        });
    }

    @Override
    public void sit(Seat seat, WorldEvent world) {
        link.open(seat.worldSize());
        processes.sit(seat);
        stamps.changeWorld(world);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // handled by its listener
    public void awaitFounders() {
        link.founded(Store.FOREVER).whenComplete((done, failure) -> {
            if (failure == null) {
                agent.later(new Founded());
            }
        });
    }

    @Override
    public void awaitMemory() {
        endMemoryWait();
        memoryWait = reclaim.apply(note -> agent.later(new MemoryFree(note)));
    }

    private void endMemoryWait() {
        if (memoryWait != null) {
            memoryWait.close();
        }
    }

    @Override
    public void start(int process, int restarts, OptionalInt promise, String why) {
        processes.start(process, restarts, promise, why);
    }

    /** What cannot be known is no reason to end the whole job. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // handled by its listener
    public void askWrapped(Target target) {
        link.hasBegun()
                .whenComplete((hasBegun, failure) -> agent.later(new Wrapped(target, failure != null || hasBegun)));
    }

    @Override
    public void shareProgress(Target target, String who) {
        stamps.shareProgress(who, progress -> agent.add(new ProgressShared(target, progress)));
    }

    @Override
    public void askRestart(Target target) {
        session.askRestart(budget, number -> agent.later(new Granted(target, number)));
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a job that takes no promise gets its process without one
    public void promise(int process, int number) {
        link.promise()
                .exceptionally(failure -> OptionalInt.empty())
                .thenAccept(promise -> agent.later(new Promised(process, number, promise)));
    }

    @Override
    public void warn(WorldEvent event) {
        stamps.tell(event);
    }

    @Override
    public void signal(int process, String name) {
        processes.signal(process, name);
    }

    @Override
    public void pass(int process, String name) {
        processes.pass(process, name);
    }

    @Override
    public void dump(int process) {
        if (!processes.dump(process)) {
            agent.later(new ShowsNothing(process));
        }
    }

    @Override
    public void kill(int process) {
        processes.kill(process);
    }

    @Override
    public void callCycle(int cycle, String reason) {
        session.callCycle(cycle, reason, call -> agent.add(new CallAnswered(call)));
    }

    @Override
    public void complete(int cycle) {
        session.complete(cycle);
    }

    @Override
    public void letGo(Set<Integer> some, String why) {
        agent.addFirst(new WentOn(processes.letGo(some), why));
    }

    @Override
    public void endJob(int code, String why) {
        session.endJob(code, why);
    }

    @Override
    public void announceLeave() {
        session.announceLeave();
    }

    @Override
    public void leave(boolean hasCompleted, boolean handsOver) {
        if (hasCompleted) {
            link.complete();
        }
        Stay ofHost = handsOver ? Stay.UNTIL_REPLACED : Stay.UNTIL_LAST;
        session.leave(hasCompleted, hostsStore ? ofHost : Stay.BRIEFLY);
    }

    @Override
    public void exit(int code, String why) {
        exit = new Exit(code, why);
    }

    /** Returns how the agent ends; null before. */
    @Nullable
    Exit exit() {
        return exit;
    }

    /** Ends all waits. */
    @Override
    public void close() {
        endMemoryWait();
    }
}
