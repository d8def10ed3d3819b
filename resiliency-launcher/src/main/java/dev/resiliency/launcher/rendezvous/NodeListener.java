package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.spi.StoreAddress;

/** Receives what an agent learns from the store, on the thread that runs the agent. */
public interface NodeListener {
    /** The node has a seat. */
    void seated(Seat seat);

    /** The node cannot take part; the reason says why. */
    void refused(String reason);

    /** Too few nodes have come in time; the text says which have. */
    void nodesMissing(String reason);

    /** The job has ended for all nodes, with this exit code. */
    void jobEnded(int code, String reason);

    /** The whole job is to start again, in this cycle. */
    void cycleCalled(int cycle, String reason);

    /** This node is asked to leave. */
    void drained(String reason);

    /**
     * A node that takes part has died or left. Only the agent with the lowest number receives it.
     *
     * @param what as a sentence: {@code node host1 is lost}
     */
    void nodeGone(String what);

    /** A node has died, and this agent is the first that has noticed it. Nobody receives this of a node that has left. */
    void nodeLost(String name);

    /** Something that people may want to know. */
    void noted(String line);

    /** No other agent needs this one any more. */
    void free();

    /** The store cannot be used any more. */
    void lost(String reason);

    /** The job lives on another store: this one was started when that had moved. */
    void moved(StoreAddress there);

    /** The store takes this agent for dead. */
    void cutOff(String reason);
}
