package dev.resiliency.nccl;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.internal.Nccl;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What NCCL does behind the calls on a non-blocking communicator: they only begin it. Waits for it, until it is done, has
 * failed, takes longer than the limit, or the job restarts.
 */
final class BackgroundWork {
    private final CallWrapper call;
    private final Nccl nccl;
    private final int device;
    private final Duration limit;

    BackgroundWork(CallWrapper call, Nccl nccl, int device, Duration limit) {
        this.call = call;
        this.nccl = nccl;
        this.device = device;
        this.limit = limit;
    }

    Duration limit() {
        return limit;
    }

    /** Waits until what the last call has begun is done. */
    void awaitReady(Communicator of, String what) throws InterruptedException {
        awaitUntil(what, () -> {
            int error = asyncError(of);
            if (error != Nccl.SUCCESS && error != Nccl.IN_PROGRESS) {
                throw failure(of, what, error);
            }
            return error == Nccl.SUCCESS;
        });
    }

    void awaitUntil(String what, BooleanSupplier done) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!done.getAsBoolean()) {
            call.checkRestart();
            if (System.nanoTime() - end >= 0) {
                throw new GpuTimeoutException(what, limit, "NCCL says it is in progress: is a peer missing?");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** {@link Nccl#SUCCESS}, {@link Nccl#IN_PROGRESS}, or what has gone wrong. */
    int asyncError(Communicator of) {
        return of.use(nccl::asyncError);
    }

    GpuCallException failure(Communicator of, String what, int error) {
        return new GpuCallException(what, "device " + device, error, of.use(address -> nccl.describe(address, error)));
    }
}
