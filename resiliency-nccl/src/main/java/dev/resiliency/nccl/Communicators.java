package dev.resiliency.nccl;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The communicators of this process that are in use. */
final class Communicators {
    private static final Set<CommunicatorFamily> FAMILIES = ConcurrentHashMap.newKeySet();

    private Communicators() {}

    static void add(CommunicatorFamily family) {
        FAMILIES.add(family);
    }

    static void remove(CommunicatorFamily family) {
        FAMILIES.remove(family);
    }

    /** Those of one rank: a process of tests can have several. */
    static List<CommunicatorFamily> of(int initialRank) {
        return FAMILIES.stream()
                .filter(family -> family.initialRank() == initialRank)
                .toList();
    }
}
