package dev.resiliency.launcher.agent;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What an agent has not handled yet. Confined to its thread, but for the queue of tasks, by which all others reach that thread. */
final class AgentInbox implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>(); // written by any thread
    /** What the latest task has brought. */
    private final Deque<AgentEvent> events = new ArrayDeque<>();

    /** Runs a task on the thread of the agent, later. May be called by any thread. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Brings an event by a task. May be called by any thread. */
    void later(AgentEvent event) {
        execute(() -> add(event));
    }

    /** Brings an event, which is handled before the next task. */
    void add(AgentEvent event) {
        events.add(event);
    }

    /** Brings an event, which is handled before all others. */
    void addFirst(AgentEvent event) {
        events.addFirst(event);
    }

    /** Takes the next event; null if there is none before the next task. */
    @Nullable
    AgentEvent poll() {
        return events.poll();
    }

    /** Waits for a task, and runs it; returns whether one has come in time. */
    boolean runTask(Duration limit) throws InterruptedException {
        Runnable task = tasks.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        if (task != null) {
            task.run();
        }
        return task != null;
    }
}
