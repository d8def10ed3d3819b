package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.internal.natives.Nccl;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Waits for the work that NCCL does in the background for a non-blocking communicator: until it is done, has failed or
 * exceeds its limit, or the job restarts.
 */
final class BackgroundWork {
    private final CallWrapper call;
    private final Nccl nccl;
    private final int device;
    private final Duration limit;
    private final Duration operationLimit;

    BackgroundWork(CallWrapper call, Nccl nccl, int device, Duration limit, Duration operationLimit) {
        this.call = call;
        this.nccl = nccl;
        this.device = device;
        this.limit = limit;
        this.operationLimit = operationLimit;
    }

    /** Returns how long the creation of a communicator may take. */
    Duration limit() {
        return limit;
    }

    /** Waits until a communicator is created. */
    void awaitReady(Communicator of, String what) throws InterruptedException {
        awaitReady(of, what, limit);
    }

    /** Waits until an operation has met its peers: NCCL connects to them when all have called the first one. */
    void awaitOperation(Communicator of, String what) throws InterruptedException {
        awaitReady(of, what, operationLimit);
    }

    private void awaitReady(Communicator of, String what, Duration within) throws InterruptedException {
        awaitUntil(what, within, () -> {
            int error = asyncError(of);
            if (error != Nccl.SUCCESS && error != Nccl.IN_PROGRESS) {
                throw failure(of, what, error);
            }
            return error == Nccl.SUCCESS;
        });
    }

    void awaitUntil(String what, BooleanSupplier done) throws InterruptedException {
        awaitUntil(what, limit, done);
    }

    private void awaitUntil(String what, Duration within, BooleanSupplier done) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        while (!done.getAsBoolean()) {
            call.checkRestart();
            if (System.nanoTime() - end >= 0) {
                throw new GpuException(
                        "%s has not ended within %d ms; NCCL reports that it is in progress: is a peer missing?"
                                .formatted(what, within.toMillis()));
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Returns {@link Nccl#SUCCESS}, {@link Nccl#IN_PROGRESS}, or an error. */
    int asyncError(Communicator of) {
        return of.use(nccl::asyncError);
    }

    GpuCallException failure(Communicator of, String what, int error) {
        return new GpuCallException(what, "device " + device, error, of.use(address -> nccl.describe(address, error)));
    }
}
