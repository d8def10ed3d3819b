package dev.resiliency.pytorch;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.Abortable;
import java.io.IOException;
import java.time.Duration;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.BackendOptional;
import org.bytedeco.pytorch.ProcessGroup;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.nccl.ProcessGroupNCCL;

/**
 * A group of ranks that NCCL connects, when the first operation begins. An operation returns once it is in the stream of the
 * device; who waits for the stream is freed by PyTorch's own abort.
 *
 * <p>The thread of the function owns it, but for the abort. The monitor keeps the abort from using what is being closed.
 */
final class NcclGroup extends BackendGroup implements Abortable {
    private final CallWrapper call;
    private final StoreBridge bridge;
    private final ProcessGroupNCCL nccl;
    private final ProcessGroup processGroup;
    /** Guarded by the monitor. */
    private boolean isClosed;

    private NcclGroup(CallWrapper call, StoreBridge bridge, ProcessGroupNCCL nccl, ProcessGroup processGroup) {
        super(nccl, call.state().activeRank(), call.state().activeWorldSize());
        this.call = call;
        this.bridge = bridge;
        this.nccl = nccl;
        this.processGroup = processGroup;
    }

    /** Creates a group; see {@link ProcessGroups#nccl}. */
    static NcclGroup create(CallWrapper call, Duration timeout) throws InterruptedException {
        StoreBridge bridge = StoreBridge.open(call, "nccl");
        int rank = call.state().activeRank();
        int size = call.state().activeWorldSize();
        NcclGroup group;
        try (Milliseconds limit = new Milliseconds(timeout.toMillis());
                Store store = TorchStore.connect(bridge, timeout)) {
            ProcessGroupNCCL nccl = new ProcessGroupNCCL(store, rank, size);
            nccl.setTimeout(limit);
            ProcessGroup processGroup = new ProcessGroup(store, rank, size);
            try (BackendOptional backend = new BackendOptional(nccl)) {
                processGroup.setBackend(DeviceType.CUDA, ProcessGroup.BackendType.NCCL, backend);
                processGroup.setDefaultBackend(ProcessGroup.BackendType.NCCL);
            }
            group = new NcclGroup(call, bridge, nccl, processGroup);
        } catch (RuntimeException e) {
            bridge.close();
            throw ProcessGroupException.of(rank, "nccl", e);
        }
        call.onAbort(group);
        return group;
    }

    @Override
    void await(Work work, String operation) {
        work._wait(); // makes the current stream wait, not this thread
    }

    @Override
    ProcessGroupException failure(String operation, RuntimeException thrown) {
        call.checkRestart();
        return ProcessGroupException.of(rank(), operation, thrown);
    }

    @Override
    public ProcessGroup processGroup() {
        return processGroup;
    }

    @Override
    public synchronized void abort() throws IOException {
        if (!isClosed) {
            bridge.abort();
            nccl.abort();
        }
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            processGroup.close();
            nccl.close();
            bridge.close();
        }
    }

    /** Appears in the log if the abort fails. */
    @Override
    public String toString() {
        return "of an NCCL process group";
    }
}
