package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.stack.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that has failed, or that a node is whole again, as one agent has noticed it.
 *
 * @param number in the order in which the store learned of the facts of a job
 * @param cycle of the job in which it has happened, as that agent knows
 * @param time milliseconds since the epoch on the clock of the host, for people only
 * @param node the name of the node that it concerns
 * @param who the process, as people call it: {@code rank 3}; the node if it concerns all of it
 * @param rank that its launcher has given it; {@link #NONE} for a spare process, or a node
 * @param member the number by which the job knows the process, if it is wrapped; {@link #NONE} if not known
 * @param pid 0 if not known
 * @param text what has happened, as the end of a sentence about the process: {@code exited with code 1}
 * @param exitCode of a process that has ended
 * @param signal that has ended it, such as {@code SIGKILL}
 * @param isAsked whether the agent had asked it to end
 * @param wrapped what the wrapper of the rank has recorded: the name of an {@link Interruption.Kind}; or that it has given up, of a process that has ended
 * @param standing where its function stood if it made no progress, as its wrapper or its agent knows; null if they do not
 * @param followers those whom the agent of this node ends; with {@link Kind#ENDS}
 * @param resumption with {@link Kind#RESUMED}
 */
record Fact(
        long number,
        Kind kind,
        int cycle,
        long time,
        String node,
        String who,
        int rank,
        int member,
        long pid,
        String text,
        @Nullable Integer exitCode,
        @Nullable String signal,
        boolean isAsked,
        @Nullable String wrapped,
        @Nullable Standing standing,
        List<String> followers,
        Evidence evidence,
        @Nullable Resumption resumption) {
    /** Stands for a number that there is not. */
    static final int NONE = -1;

    /** What a fact is about. */
    enum Kind {
        /** A process has ended. */
        PROCESS_ENDED,
        /** A process could not be started. */
        NOT_STARTED,
        /** The wrapper of a rank has recorded a fault, in its process or of a process that is gone. */
        RECORDED,
        /** A rank has not shown progress in time, as its agent has seen. */
        OVERDUE,
        /** The agent of a node has died, or the store has heard nothing of it for its lease. */
        NODE_LOST,
        /** The agent of a node counts as dead, but lives: the network between it and the store was cut. */
        CUT_OFF,
        /** An agent has lost the store. */
        STORE_LOST,
        /** An agent was refused, or the job cannot run as it is configured. */
        REFUSED,
        /** Too few nodes have come in time. */
        NODES_MISSING,
        /** The agent of a node has died, and another one of that node has noticed it. */
        AGENT_REPLACED,
        /** The agent of a node ends some of its processes, since somebody has asked for it or others have failed: no fault. */
        ENDS,
        /** All processes of a node run, and take part if they are wrapped: no fault. */
        RECOVERED,
        /** The processes of a node have gone on after a restart, at a step that is known: no fault. */
        RESUMED,
        /** The agent of a node has ended those of its processes that still ran, and leaves: no fault. */
        LEFT
    }

    /** Copies the list. */
    Fact {
        followers = List.copyOf(followers);
    }

    boolean isFault() {
        return kind != Kind.ENDS && kind != Kind.RESUMED && !isEnd();
    }

    /** Returns whether nobody need wait any longer for what its node was to do. */
    boolean isEnd() {
        return kind == Kind.RECOVERED || kind == Kind.LEFT;
    }

    /** Returns the fact that a wrapper has recorded a fault. */
    static Fact recorded(long number, int cycle, String node, int worldSize, Interruption interruption) {
        int member = interruption.rank();
        String kind = interruption.kind().name();
        String message = interruption.message();
        boolean isRank = member < worldSize;
        return new Fact(
                number,
                Kind.RECORDED,
                cycle,
                System.currentTimeMillis(),
                node,
                isRank ? "rank " + member : "rank %d, which joined later".formatted(member),
                isRank ? member : NONE,
                member,
                0,
                message.isEmpty() ? "has " + kind : message,
                null,
                null,
                false,
                kind,
                interruption.standing(),
                List.of(),
                Evidence.NONE,
                null);
    }

    /** Returns a fact about a node. */
    static Fact ofNode(Kind kind, int cycle, long time, String node, String text, List<String> followers) {
        return ofNode(kind, cycle, time, node, text, followers, null);
    }

    /** Returns the fact that a node has seen where the training goes on. */
    static Fact resumed(long time, String node, Resumption resumption) {
        return ofNode(Kind.RESUMED, resumption.cycle(), time, node, resumption.seen(), List.of(), resumption);
    }

    private static Fact ofNode(
            Kind kind,
            int cycle,
            long time,
            String node,
            String text,
            List<String> followers,
            @Nullable Resumption resumption) {
        return new Fact(
                0,
                kind,
                cycle,
                time,
                node,
                "node " + node,
                NONE,
                NONE,
                0,
                text,
                null,
                null,
                false,
                null,
                null,
                followers,
                Evidence.NONE,
                resumption);
    }

    /** Returns this fact with the number that the store has given it. */
    Fact numbered(long newNumber) {
        return copy(newNumber, node, who, evidence);
    }

    /** Returns this fact about a process that is known by now. */
    Fact at(String newWho, String newNode) {
        return copy(number, newNode, newWho, evidence);
    }

    /** Returns this fact with what was found about it. */
    Fact with(Evidence found) {
        return copy(number, node, who, found);
    }

    private Fact copy(long newNumber, String newNode, String newWho, Evidence found) {
        return new Fact(
                newNumber,
                kind,
                cycle,
                time,
                newNode,
                newWho,
                rank,
                member,
                pid,
                text,
                exitCode,
                signal,
                isAsked,
                wrapped,
                standing,
                followers,
                found,
                resumption);
    }
}
