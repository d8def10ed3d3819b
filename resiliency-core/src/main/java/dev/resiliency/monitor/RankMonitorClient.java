package dev.resiliency.monitor;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.monitor.spi.StampWriter;
import java.util.Optional;

/**
 * Tells the agent that has started this process what the process does, so that the agent finds out when it hangs. For training code
 * with or without a {@link dev.resiliency.inprocess.Wrapper}. Corresponds to nvidia-resiliency-ext's {@code RankMonitorClient}.
 *
 * <pre>{@code
 * RankMonitorClient monitor = RankMonitorClient.ofThisProcess();
 * for (long step = first; step < last; step++) {
 *     monitor.ping(step);
 *     try (var forward = monitor.section("forward")) {
 *         forward(batch);
 *     }
 * }
 * }</pre>
 *
 * <p>Every call writes a few numbers into a file that it shares with the agent, which takes some microseconds: it sends no message,
 * waits for nobody, and throws nothing. An agent that is started again loses none of it. Without an agent, as in a unit test, every call does
 * nothing.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface RankMonitorClient {

    /** Returns the client of this process: always the same. */
    static RankMonitorClient ofThisProcess() {
        return StampWriter.ofThisProcess();
    }

    /** Returns whether there is an agent that reads what this client writes. */
    boolean isWatched();

    /** Says that this rank makes progress: the time between two heartbeats can be limited. */
    void heartbeat();

    /**
     * Says that this rank makes progress, as {@link #heartbeat} does, and which step it is at: a job that is started again and again
     * without reaching a higher step is ended.
     *
     * @param step at least 0; a lower one than before has no effect, as after a return to a checkpoint
     */
    void ping(long step);

    /**
     * Opens a section: the time until it is closed can be limited. Sections may be nested, may overlap, and may be open several times
     * with the same name; each has its own deadline, whatever is opened inside of it. At most 64 are open at once, further ones are
     * not watched. A process has up to 62 names; all further ones share one.
     *
     * @param name such as {@code checkpoint}; chosen at run time, up to 56 bytes in UTF-8
     * @return to be closed once, by any thread
     */
    Section section(String name);

    /** Closes all open sections, of all threads, as after an exception; their times are not counted. */
    void endAllSections();

    /**
     * Asks the agent for something, which it does at once. The last request counts.
     *
     * @param reason for logs and events; up to 384 bytes in UTF-8
     */
    void request(WorkloadAction action, String reason);

    /**
     * Returns the next change of the world that the agent has told this process, oldest first; empty if there is none. Costs about a
     * microsecond then, so it may be asked for in each step. For programs without a {@link dev.resiliency.inprocess.Wrapper}, whose
     * listener knows more: the numbers of iterations are those of cycles here. A world that has grown or shrunk names the ranks that
     * came or left; a cycle with as many ranks as before names none, even if one of them runs on another node. There is no {@link
     * WorldEvent.Completed}: a rank has completed when its process has exited, so when all have, none is left to read it.
     */
    Optional<WorldEvent> nextEvent();

    /** What {@link #request} asks for. */
    enum WorkloadAction {
        /** Go on: withdraws a request that the agent has not seen yet. */
        CONTINUE,
        /** End the ranks of this node, and do not use it again: the node is broken. */
        EXCLUDE_THIS_NODE,
        /** End the whole job, and do not start it again: that would not help. */
        SHUTDOWN_WORKLOAD
    }

    /** See {@link RankMonitorClient#section}. */
    interface Section extends AutoCloseable {
        /** Closes the section; idempotent. */
        @Override
        void close();
    }
}
