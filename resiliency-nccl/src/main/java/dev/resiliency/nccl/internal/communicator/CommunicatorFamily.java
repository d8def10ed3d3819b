package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.NcclAbortedException;
import dev.resiliency.nccl.internal.natives.NativeCall;
import dev.resiliency.nccl.internal.natives.Nccl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A communicator and its children by split or shrink. They are aborted once, by one thread, in one NCCL group, since they
 * may share resources; then the abandoned children are freed. Families are aborted at the same time, each in a thread of its
 * own: an abort waits for the whole device, so the first of two in sequence would wait for the work of the second
 * communicator.
 */
final class CommunicatorFamily {
    private static final Logger LOG = LoggerFactory.getLogger(CommunicatorFamily.class);

    private final Nccl nccl;
    private final int device;
    private final int initialRank;
    private final String name;
    /** The open ones. Guarded by this. */
    private final Set<Communicator> members = new LinkedHashSet<>();
    /** Guarded by this. */
    private @Nullable NativeCall<Boolean> abort;
    /** Children whose creation failed or timed out, whether NCCL has created them or not. Guarded by this. */
    private final List<Nccl.Child> abandoned = new ArrayList<>();
    /** Whether the abort has freed the children abandoned until then. Guarded by this. */
    private boolean abandonedAreFreed;
    /** Guarded by this. */
    private boolean failureIsReported;

    CommunicatorFamily(Nccl nccl, int device, int initialRank, String name) {
        this.nccl = nccl;
        this.device = device;
        this.initialRank = initialRank;
        this.name = name;
    }

    Nccl nccl() {
        return nccl;
    }

    int device() {
        return device;
    }

    /** Returns its name in messages. */
    String name() {
        return name;
    }

    int initialRank() {
        return initialRank;
    }

    /**
     * Adds a communicator that was just created.
     *
     * @throws NcclAbortedException if the family was aborted before; then so is the new member
     */
    Communicator add(long address, String memberName) {
        Communicator member = new Communicator(nccl, address, memberName);
        synchronized (this) {
            if (abort == null) {
                members.add(member);
                return member;
            }
        }
        // Guards against the race with an abort that came between the creation and this call: it missed the member.
        NativeCall.start("abort of " + memberName, () -> {
            selectDevice();
            member.abort();
        });
        throw new NcclAbortedException(memberName + " was aborted while it was being created");
    }

    synchronized void remove(Communicator member) {
        members.remove(member);
    }

    /** Adds a child whose creation failed or timed out: NCCL may still create it, until its parent is aborted. */
    void abandon(Nccl.Child child) {
        child.keep();
        synchronized (this) {
            if (!abandonedAreFreed) {
                abandoned.add(child);
                return;
            }
        }
        // Guards against the race with an abort that ended before this call: it missed the child.
        NativeCall.start("abort of a late child of " + name, () -> free(child));
    }

    synchronized boolean isEmpty() {
        return members.isEmpty() && abandoned.isEmpty();
    }

    /** Starts the abort, unless it was started before; returns it. */
    synchronized NativeCall<Boolean> startAbort() {
        if (abort == null) {
            List<Communicator> taken = List.copyOf(members);
            members.clear();
            abort = NativeCall.start("abort of " + name, () -> abort(taken));
        }
        return abort;
    }

    /**
     * Aborts all members, and waits for the end.
     *
     * @throws GpuException if the abort failed or did not end within the limit
     */
    void abort(Duration limit) throws InterruptedException {
        startAbort().awaitEnd(limit);
    }

    /**
     * Claims the report of a failed abort: returns true to the first of the threads that wait for the abort, such as that of a
     * hook and that of the communicator's own abort action.
     */
    synchronized boolean claimReport() {
        boolean first = !failureIsReported;
        failureIsReported = true;
        return first;
    }

    private void abort(List<Communicator> taken) {
        List<RuntimeException> failures = new ArrayList<>();
        if (!taken.isEmpty()) {
            abortTogether(taken, failures);
        }
        takeAbandoned().forEach(child -> attempt(() -> free(child), failures));
        throwAll(failures);
    }

    private void abortTogether(List<Communicator> taken, List<RuntimeException> failures) {
        selectDevice();
        attempt(nccl::groupStart, failures);
        taken.forEach(member -> attempt(member::abort, failures));
        attempt(nccl::groupEnd, failures);
    }

    /** CUDA may return an error of earlier work; it does not matter, since NCCL knows the device of each communicator. */
    private void selectDevice() {
        try {
            nccl.cuda().setDevice(device);
        } catch (GpuException e) {
            LOG.warn("{} is aborted although its device could not be selected: {}", this, e.getMessage());
        }
    }

    /** A step that fails does not prevent those after it. */
    private static void attempt(Runnable step, List<RuntimeException> failures) {
        try {
            step.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    private void throwAll(List<RuntimeException> failures) {
        if (!failures.isEmpty()) {
            GpuException all = new GpuException(
                    this + ": " + failures.stream().map(Throwable::getMessage).toList());
            failures.forEach(all::addSuppressed);
            throw all;
        }
    }

    /** Called after the abort of the parent, which has waited until NCCL no longer creates the child. */
    private void free(Nccl.Child child) {
        if (child.address() != 0) {
            selectDevice();
            nccl.abort(child.address());
        }
    }

    private synchronized List<Nccl.Child> takeAbandoned() {
        List<Nccl.Child> taken = List.copyOf(abandoned);
        abandoned.clear();
        abandonedAreFreed = true;
        return taken;
    }

    @Override
    public String toString() {
        return name + " on device " + device;
    }
}
