package dev.resiliency.launcher.attribution;

import dev.resiliency.monitor.spi.MemoryUse;
import java.util.ArrayList;
import java.util.List;

/** What is judged: the one that failed first, and the incident around it. */
record Case(Casualty first, Incident incident) {
    static Case of(Incident incident) {
        return new Case(incident.first(), incident);
    }

    Evidence evidence() {
        return first.evidence();
    }

    /** Returns the notable lines of the kernel's log on the node of the first. */
    List<String> kernel() {
        return incident.kernelOf(first.node());
    }

    /** Returns a judgement with what is known of the first, and what else was found; lines that are empty are none. */
    Judgement judgement(Cause cause, String subject, Suggestion suggestion, String why, String... more) {
        List<String> lines = new ArrayList<>();
        lines.add(first.text());
        MemoryUse memory = evidence().memory();
        if (memory != null && !memory.equals(MemoryUse.NONE)) {
            lines.add("memory: " + memory);
        }
        for (String line : more) {
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return new Judgement(cause, subject, suggestion, why, lines);
    }
}
