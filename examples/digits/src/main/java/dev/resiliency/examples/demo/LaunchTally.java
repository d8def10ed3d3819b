package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.AgentLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts what the agents of a job report. Confined to one thread. */
final class LaunchTally {
    private int replacements;
    private final Set<String> nodesLost = new HashSet<>(); // what agents have said of each
    private long cycles;

    /** Counts a line of an agent. */
    void add(AgentLine line) {
        if (line.kind() == AgentLine.Kind.NODE_LOST) {
            nodesLost.add(line.text()); // an agent that becomes the lowest says it again
        } else if (line.kind() == AgentLine.Kind.CYCLE) {
            cycles = Math.max(cycles, line.number());
        }
    }

    /** Counts a process that was started in the place of another one. */
    void addReplacement() {
        replacements++;
    }

    int replacements() {
        return replacements;
    }

    int nodesLost() {
        return nodesLost.size();
    }

    /** Returns how often all ranks of all nodes have started again. */
    long cycles() {
        return cycles;
    }

    /** Returns what is not as planned. */
    List<String> problems(LaunchPlan plan) {
        List<String> problems = new ArrayList<>();
        if (replacements != plan.replacements()) {
            problems.add("%d processes were replaced, and not %d".formatted(replacements, plan.replacements()));
        }
        if (nodesLost() != plan.nodesLost()) {
            problems.add("the agents reported %d lost nodes, and not %d".formatted(nodesLost(), plan.nodesLost()));
        }
        if (cycles > 0) {
            problems.add("all ranks were started again, in cycle %d".formatted(cycles));
        }
        return problems;
    }
}
