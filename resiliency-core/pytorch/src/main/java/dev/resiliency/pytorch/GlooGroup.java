package dev.resiliency.pytorch;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import java.io.IOException;
import java.time.Duration;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.ProcessGroup;
import org.bytedeco.pytorch.Work;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of ranks that Gloo connects over TCP. Confined to the thread of the function.
 *
 * <p>Thread: {@code resiliency-pytorch-close}, which frees a group that has failed: that waits for operations in flight,
 * for the group's timeout at most.
 */
final class GlooGroup extends BackendGroup {
    private static final Logger LOG = LoggerFactory.getLogger(GlooGroup.class);
    /** How long a wait is blind to an interrupt; an abort ends it at once. */
    private static final Duration SLICE = Duration.ofMillis(50);
    /** How long a rank that has lost a connection waits for the one that broke to say so, before it reports itself. */
    private static final Duration REASON_LIMIT = Duration.ofMillis(500);

    /** How long the function waits until Gloo has freed what failed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final CallWrapper call;
    private final GlooRendezvous rendezvous;
    private final GlooBackend backend;
    private boolean isBroken; // something failed or was left in flight
    private boolean isClosed;

    private GlooGroup(CallWrapper call, GlooRendezvous rendezvous, GlooBackend backend) {
        super(backend.gloo(), rendezvous.rank(), rendezvous.size());
        this.call = call;
        this.rendezvous = rendezvous;
        this.backend = backend;
    }

    /** Connects to all ranks; see {@link ProcessGroups#gloo(CallWrapper, Duration, Duration)}. */
    static GlooGroup connect(CallWrapper call, Duration connectTimeout, Duration timeout) throws InterruptedException {
        GlooRendezvous rendezvous = GlooRendezvous.begin(call);
        return new GlooGroup(call, rendezvous, rendezvous.complete(connectTimeout, timeout));
    }

    @Override
    @SuppressWarnings("try") // the wait is only closed
    void await(Work work, String operation) throws InterruptedException {
        try (Milliseconds slice = new Milliseconds(SLICE.toMillis())) {
            if (isDone(work, slice)) {
                return;
            }
            try (HangProtectionPause wait = call.waitsForPeers()) {
                do {
                    if (Thread.interrupted()) {
                        throw new InterruptedException("interrupted in " + operation);
                    }
                    call.checkRestart();
                } while (!isDone(work, slice));
            }
        } finally {
            isBroken |= !work.isCompleted() || !work.isSuccess();
        }
    }

    /** Waits for a slice. PyTorch throws the same for the end of the slice and for a failure of the work. */
    private static boolean isDone(Work work, Milliseconds slice) {
        try {
            return work._wait(slice);
        } catch (RuntimeException e) {
            // It may have been completed since the slice ended: then this returns or throws how.
            return work.isCompleted() && work._wait(slice);
        }
    }

    @Override
    ProcessGroupException failure(String operation, RuntimeException thrown) throws InterruptedException {
        isBroken = true;
        rendezvous.abort().await(REASON_LIMIT);
        call.checkRestart();
        return ProcessGroupException.of(rank(), operation, thrown);
    }

    @Override
    public ProcessGroup processGroup() {
        return backend.processGroup();
    }

    /** Ends operations in flight first, for which Gloo would wait. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (isBroken || rendezvous.abort().isAborted()) {
            closeBroken();
        } else {
            backend.close();
        }
        rendezvous.close();
    }

    /**
     * Frees the group on another thread, which is left behind if Gloo has lost an operation together with its connection:
     * it ends after the group's timeout. Nobody else uses the group any more.
     */
    private void closeBroken() {
        try {
            rendezvous.abort().cut();
        } catch (IOException e) {
            LOG.warn("the connections of a process group cannot be cut", e);
        }
        Thread closing = new Thread(backend::close, "resiliency-pytorch-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(CLOSE_LIMIT.toMillis());
            if (closing.isAlive()) {
                LOG.info(
                        "[rank {}] a process group still has an operation in flight; it is freed after the timeout of the group",
                        rank());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
