package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Performs the actions of an agent, each of which it documents in {@link AgentAction}. None of these methods waits: what
 * becomes of an action is an {@link AgentEvent}. Confined to the thread of the agent.
 */
interface Effects {
    void report(JobEvent.Kind kind, String text);

    void check();

    void markHealthy();

    void markUnhealthy(String problem);

    void arrive();

    void takeSeat(int cycle);

    void findMaster(Seat seat);

    void sit(Seat seat, WorldEvent world);

    void awaitFounders();

    void awaitMemory();

    void start(int process, int restarts, OptionalInt promise, String why);

    void askWrapped(Target target);

    void shareProgress(Target target, String who);

    void askRestart(Target target);

    void promise(int process, int number);

    void warn(WorldEvent event);

    void signal(int process, String name);

    void pass(int process, String name);

    void dump(int process);

    void kill(int process);

    void callCycle(int cycle, String reason);

    void complete(int cycle);

    void letGo(Set<Integer> processes, String why);

    void endJob(int code, String why);

    void announceLeave();

    void leave(boolean hasCompleted, boolean handsOver);

    void exit(int code, String why);
}
