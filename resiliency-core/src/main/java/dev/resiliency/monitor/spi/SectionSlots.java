package dev.resiliency.monitor.spi;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of the file are taken. They are taken in turn, so that a section that is closed twice by mistake closes no later one.
 */
final class SectionSlots {
    private final StampWriter writer;
    /** A bit for each slot. Whoever sets one owns its section until it is open. */
    private final AtomicLong taken = new AtomicLong();

    private final AtomicReferenceArray<OpenSection> sections = new AtomicReferenceArray<>(StampLayout.SLOTS);
    /** Where to look first. Written by any thread; a lost update does not matter. */
    private volatile int next;

    SectionSlots(StampWriter writer) {
        this.writer = writer;
        if (writer.isWatched()) {
            for (int slot = 0; slot < StampLayout.SLOTS; slot++) {
                sections.set(slot, new OpenSection(this, slot));
            }
        }
    }

    /** Returns the section of a free slot, which is then taken; null if there is none. */
    @Nullable
    OpenSection take() {
        while (true) {
            long before = taken.get();
            if (before == -1L) {
                return null;
            }
            int from = next;
            int slot = (from + Long.numberOfTrailingZeros(Long.rotateRight(~before, from))) % StampLayout.SLOTS;
            if (taken.compareAndSet(before, before | 1L << slot)) {
                next = (slot + 1) % StampLayout.SLOTS;
                return sections.get(slot);
            }
        }
    }

    /** Frees the slot of a section that the caller has shut. */
    void free(OpenSection section, boolean isCounted) {
        writer.closed(section, isCounted);
        long bit = 1L << section.slot();
        long before;
        do {
            before = taken.get();
        } while (!taken.compareAndSet(before, before & ~bit));
    }

    /** Ends all that are open. Whoever closes one of them later has an object that no slot uses any more. */
    void endAll() {
        for (int slot = 0; slot < StampLayout.SLOTS; slot++) {
            OpenSection section = sections.get(slot);
            if (section.shut()) {
                sections.set(slot, new OpenSection(this, slot));
                free(section, false);
            }
        }
    }
}
