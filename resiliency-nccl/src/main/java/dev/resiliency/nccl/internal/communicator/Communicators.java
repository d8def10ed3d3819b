package dev.resiliency.nccl.internal.communicator;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The families of communicators that are in use in this process. */
final class Communicators {
    private static final Set<CommunicatorFamily> FAMILIES = ConcurrentHashMap.newKeySet();

    private Communicators() {}

    static void add(CommunicatorFamily family) {
        FAMILIES.add(family);
    }

    static void remove(CommunicatorFamily family) {
        FAMILIES.remove(family);
    }

    /** Returns those of one rank; the process of a test can have several ranks. */
    static List<CommunicatorFamily> of(int initialRank) {
        return FAMILIES.stream()
                .filter(family -> family.initialRank() == initialRank)
                .toList();
    }
}
