package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.util.List;

/** The rules about nodes, their agents and the store. Pure. */
final class NodeRules {
    static final List<Rule> TABLE = List.of(
            new Rule(it -> it.first().has(Kind.STORE_LOST), NodeRules::storeLost),
            new Rule(it -> it.first().has(Kind.CUT_OFF) || isPartition(it), NodeRules::partition),
            new Rule(it -> it.first().has(Kind.NODE_LOST), NodeRules::hostLost),
            new Rule(it -> it.first().has(Kind.AGENT_REPLACED), NodeRules::agentReplaced),
            new Rule(it -> it.first().has(Kind.NODES_MISSING), NodeRules::nodesMissing));

    private NodeRules() {}

    private static Judgement storeLost(Case it) {
        return it.judgement(
                Cause.STORE_LOST,
                "",
                Suggestion.RESTART,
                "no agent can go on without its store: look at the host of the store first, and host it apart from the"
                        + " ranks with 'resiliency store'");
    }

    private static boolean isPartition(Case it) {
        return it.first().has(Kind.NODE_LOST) && it.incident().nodesLost() > 1;
    }

    private static Judgement partition(Case it) {
        long nodes = it.incident().nodesLost();
        return it.judgement(
                Cause.NETWORK_PARTITION,
                nodes > 1 ? nodes + " nodes" : it.first().node(),
                Suggestion.RESTART,
                nodes > 1
                        ? "hosts rarely die at the same moment: look at what they share, such as a switch or a power"
                                + " supply"
                        : "the agent lives, but the store has not heard it: look at the network between them, and"
                                + " whether the host was suspended");
    }

    /** That an agent is gone says nothing of its host: somebody may have killed it. */
    private static Judgement hostLost(Case it) {
        return it.judgement(
                Cause.HOST_LOST,
                it.first().node(),
                Suggestion.RESTART,
                "its agent is gone with all its processes: if the host is up, find out who ended the agent, and start it"
                        + " again");
    }

    private static Judgement agentReplaced(Case it) {
        return it.judgement(
                Cause.KILLED,
                "agent of " + it.first().node(),
                Suggestion.RESTART,
                "the node has another agent already: find out who ended the one before, with all its processes");
    }

    private static Judgement nodesMissing(Case it) {
        return it.judgement(
                Cause.NODES_MISSING,
                "",
                Suggestion.RESTART,
                "start an agent on as many hosts as the job needs, or let it do with fewer (--nnodes MIN:MAX)");
    }
}
