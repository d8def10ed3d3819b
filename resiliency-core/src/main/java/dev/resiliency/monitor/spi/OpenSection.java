package dev.resiliency.monitor.spi;

import dev.resiliency.monitor.RankMonitorClient.Section;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The section of a slot. Used again and again, so that opening one allocates nothing. */
final class OpenSection implements Section {
    private static final VarHandle IS_OPEN = isOpenHandle();

    private final SectionSlots slots;
    private final int slot;
    /** Owned by the thread that has taken the slot, until it is open; then by the one that closes it. */
    private int name;

    private long since;

    /** Who sets it to false closes the section. Written by any thread. */
    @SuppressWarnings("UnusedVariable") // accessed through IS_OPEN
    private boolean isOpen;

    OpenSection(SectionSlots slots, int slot) {
        this.slots = slots;
        this.slot = slot;
    }

    private static VarHandle isOpenHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(OpenSection.class, "isOpen", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    void open(int newName, long now) {
        name = newName;
        since = now;
        IS_OPEN.setRelease(this, true);
    }

    int slot() {
        return slot;
    }

    int name() {
        return name;
    }

    long since() {
        return since;
    }

    /** Returns whether the caller closes the section: one caller does. */
    boolean shut() {
        return IS_OPEN.compareAndSet(this, true, false);
    }

    @Override
    public void close() {
        if (shut()) {
            slots.free(this, true);
        }
    }
}
