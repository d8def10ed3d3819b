package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.NativeCall;
import dev.resiliency.nccl.internal.Nccl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A communicator and its children by split or shrink. They are aborted once, by one thread, in one NCCL group, as they
 * may share resources, and behind them the children that nobody has waited for. Families are aborted at the same time,
 * each in a thread of its own: an abort waits for the whole device, so one that came after the other would wait for what
 * the other communicator is waiting for.
 */
final class CommunicatorFamily {
    private static final Logger LOG = LoggerFactory.getLogger(CommunicatorFamily.class);

    private final Nccl nccl;
    private final int device;
    private final int initialRank;
    private final String name;
    /** Those that are open. Guarded by this. */
    private final Set<Communicator> members = new LinkedHashSet<>();
    /** Guarded by this. */
    private @Nullable NativeCall<Boolean> abort;
    /** Children that nobody waits for, whether NCCL has made them or not. Guarded by this. */
    private final List<Nccl.Child> abandoned = new ArrayList<>();
    /** Whether the abort has freed those that were abandoned until then. Guarded by this. */
    private boolean abandonedAreFreed;
    /** Guarded by this. */
    private boolean failureIsTold;

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

    /** Names it in messages. */
    String name() {
        return name;
    }

    int initialRank() {
        return initialRank;
    }

    /**
     * Takes in a communicator that was just made.
     *
     * @throws NcclAbortedException if the family is aborted already; the newcomer is, too
     */
    Communicator add(long address, String memberName) {
        Communicator member = new Communicator(nccl, address, memberName);
        synchronized (this) {
            if (abort == null) {
                members.add(member);
                return member;
            }
        }
        // The abort has come between the making of the communicator and this call: nobody else will end it.
        NativeCall.start("abort of " + memberName, () -> {
            chooseDevice();
            member.abort();
        });
        throw new NcclAbortedException(memberName + " was aborted while it was made");
    }

    synchronized void remove(Communicator member) {
        members.remove(member);
    }

    /** Takes in a child that is no longer waited for: NCCL may still make it, until its parent is aborted. */
    void abandon(Nccl.Child child) {
        child.keep();
        synchronized (this) {
            if (!abandonedAreFreed) {
                abandoned.add(child);
                return;
            }
        }
        // The abort has ended before this call: nobody else will free the child.
        NativeCall.start("abort of a late child of " + name, () -> free(child));
    }

    synchronized boolean isEmpty() {
        return members.isEmpty() && abandoned.isEmpty();
    }

    /** Begins the abort, or finds the one that was begun. */
    synchronized NativeCall<Boolean> startAbort() {
        if (abort == null) {
            List<Communicator> taken = List.copyOf(members);
            members.clear();
            abort = NativeCall.start("abort of " + name, () -> abort(taken));
        }
        return abort;
    }

    /**
     * Aborts all, and waits for it.
     *
     * @throws GpuTimeoutException if it is not done within the limit
     */
    void abort(Duration limit) throws InterruptedException {
        startAbort().awaitEnd(limit);
    }

    /**
     * Whether a failure of the abort is still to be told. Several may wait for it, such as a hook and what the communicator
     * has registered by itself: true for the first who asks only.
     */
    synchronized boolean tellsFailure() {
        boolean first = !failureIsTold;
        failureIsTold = true;
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
        chooseDevice();
        attempt(nccl::groupStart, failures);
        taken.forEach(member -> attempt(member::abort, failures));
        attempt(nccl::groupEnd, failures);
    }

    /** CUDA may answer with an error of earlier work. NCCL knows the device of each communicator by itself. */
    private void chooseDevice() {
        try {
            nccl.cuda().setDevice(device);
        } catch (GpuException e) {
            LOG.warn("{} is aborted all the same: {}", this, e.getMessage());
        }
    }

    /** What fails does not keep those behind it from being aborted. */
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

    /** After the abort of its parent: that has waited until NCCL no longer makes the child. */
    private void free(Nccl.Child child) {
        if (child.address() != 0) {
            chooseDevice();
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
