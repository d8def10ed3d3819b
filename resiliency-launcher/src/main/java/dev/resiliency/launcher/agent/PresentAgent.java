package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * By which others reach the agent of this process, which has another inbox on each store: what comes while it waits for a store is
 * dropped, but for a signal that asks it to end, which ends the wait. Safe for use by many threads: its monitor guards all fields.
 */
final class PresentAgent {
    /** Which signal has asked this agent to end; null if none has. */
    private @Nullable String stop;
    /** The agent on the present store; null while there is none. */
    private @Nullable Present present;
    /** The thread that waits for a store, which an interrupt ends; null while none does. */
    private @Nullable Thread waiting;

    /** What others bring the agent on one store. */
    private record Present(AgentInbox inbox, NodeEffects effects) {}

    /**
     * Begins to wait for a store, unless a signal has asked this agent to end: one that comes between the question and the wait would
     * not end the wait.
     *
     * @return that signal; null while there is none
     */
    synchronized @Nullable String beginToWait() {
        if (stop == null) {
            waiting = Thread.currentThread();
        }
        return stop;
    }

    /** Returns which signal has asked this agent to end; null if none has. */
    synchronized @Nullable String stopSignal() {
        return stop;
    }

    /** Asks the agent to end, as it has received a signal. */
    synchronized void stop(String signal) {
        stop = signal;
        if (waiting != null) {
            waiting.interrupt();
        }
        bring((inbox, effects) -> inbox.later(new StopAsked(signal)));
    }

    /** Brings something to the agent on the present store, if there is one. */
    synchronized void bring(BiConsumer<AgentInbox, NodeEffects> what) {
        if (present != null) {
            what.accept(present.inbox(), present.effects());
        }
    }

    /** The agent is on a store. Whoever was asked to end in between learns it now. */
    synchronized void enter(AgentInbox inbox, NodeEffects effects) {
        present = new Present(inbox, effects);
        waiting = null;
        if (stop != null) {
            Thread.interrupted(); // of a signal that came at the last moment
            inbox.later(new StopAsked(stop));
        }
    }

    /** The agent has left its store. */
    synchronized void leave() {
        present = null;
    }
}
