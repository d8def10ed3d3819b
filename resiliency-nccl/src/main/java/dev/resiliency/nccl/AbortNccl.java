package dev.resiliency.nccl;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.internal.Bindings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Aborts all NCCL communicators of this rank at the same time, so that whatever waits for their work returns. The
 * guide's {@code AbortTorchDistributed}.
 *
 * <p>Each {@link NcclCommunicator} and each registered one is aborted with its iteration, with or without this hook.
 * It is for an order: {@code Abort.compose(other, AbortNccl.create())} runs {@code other} when NCCL no longer holds the
 * GPU. An abort that does not end within the limit is reported, once, and left behind.
 */
public final class AbortNccl implements Abort {
    /** How long an abort may take: a little less than a restart waits for abort hooks. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(8);

    private final Duration limit;

    private AbortNccl(Duration limit) {
        this.limit = limit;
    }

    /** A hook with {@link #DEFAULT_LIMIT}. */
    public static AbortNccl create() {
        return withLimit(DEFAULT_LIMIT);
    }

    /** A hook that waits so long for all aborts together. */
    public static AbortNccl withLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("the limit is " + limit + ": it must be positive");
        }
        return new AbortNccl(limit);
    }

    /**
     * Registers a communicator that another library has made, for this iteration.
     *
     * @param communicator the {@code ncclComm_t}
     * @param device the device that it works on
     * @param name names it in messages
     * @return to be closed before the other library frees the communicator, which it may do only if it then says that
     *     it was not aborted
     * @throws GpuUnavailableException if NCCL cannot be loaded
     */
    public static Registration register(CallWrapper call, long communicator, int device, String name) {
        CommunicatorFamily family =
                new CommunicatorFamily(Bindings.nccl(), device, call.state().initialRank(), name);
        Communicator member = family.add(communicator, name);
        Communicators.add(family);
        call.onAbort(() -> abort(family));
        return new Registration(family, member);
    }

    /** A communicator that is aborted with its iteration; see {@link #register}. */
    public static final class Registration implements AutoCloseable {
        private final CommunicatorFamily family;
        private final Communicator member;

        private Registration(CommunicatorFamily family, Communicator member) {
            this.family = family;
            this.member = member;
        }

        /**
         * Whether it was aborted, or is being aborted: NCCL frees it then, and nobody else must. If this is false after
         * {@link #close}, it stays so.
         */
        public boolean isAborted() {
            return member.isAborted();
        }

        /** From here on it is not aborted; too late if {@link #isAborted} says so. */
        @Override
        public void close() {
            // Guards against the race with an abort that has taken the member and not yet come to it: it passes it by.
            member.release();
            family.remove(member);
            Communicators.remove(family);
        }
    }

    /**
     * Aborts all, and waits for them within the limit.
     *
     * @throws GpuException that names each one that is stuck or has failed, with the reason, unless this was reported before
     */
    @Override
    public void abort(State state) throws InterruptedException {
        abort(Communicators.of(state.initialRank()), limit);
    }

    /** Aborts one family; others are aborted at the same time by other threads. */
    static void abort(CommunicatorFamily family) throws InterruptedException {
        abort(List.of(family), DEFAULT_LIMIT);
    }

    private static void abort(List<CommunicatorFamily> families, Duration limit) throws InterruptedException {
        families.forEach(CommunicatorFamily::startAbort);
        long start = System.nanoTime();
        long end = start + limit.toNanos();
        List<GpuException> failures = new ArrayList<>();
        for (CommunicatorFamily family : families) {
            try {
                family.abort(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            } catch (GpuException e) {
                if (family.tellsFailure()) {
                    failures.add(e);
                }
            } finally {
                Communicators.remove(family);
            }
        }
        if (!failures.isEmpty()) {
            throw failure(families, failures, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private static GpuException failure(
            List<CommunicatorFamily> families, List<GpuException> failures, Duration waited) {
        GpuException all = new GpuException(
                "%d of %d NCCL communicators could not be aborted, after %d ms; what waits for them is left to the hard timeout: %s"
                        .formatted(
                                failures.size(),
                                families.size(),
                                waited.toMillis(),
                                failures.stream().map(Throwable::getMessage).toList()));
        failures.forEach(all::addSuppressed);
        return all;
    }
}
