package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuUnavailableException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclUniqueId;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * The calls of NCCL that this module makes, on non-blocking communicators: a call may return while its work is in progress,
 * and {@link #asyncError} reports when it is done. Communicators, streams and device memory are given by their addresses.
 * Throws {@link GpuCallException} if NCCL returns an error.
 */
public final class Nccl {
    /** A result: no error. */
    public static final int SUCCESS = 0;
    /** A result: not yet completed. */
    public static final int IN_PROGRESS = 7;

    static final String[] SYMBOLS = {
        "ncclGetVersion",
        "ncclGetErrorString",
        "ncclGetLastError",
        "ncclGetUniqueId",
        "ncclCommInitRankConfig",
        "ncclCommGetAsyncError",
        "ncclCommUserRank",
        "ncclCommCount",
        "ncclCommFinalize",
        "ncclCommDestroy",
        "ncclCommAbort",
        "ncclGroupStart",
        "ncclGroupEnd",
        "ncclAllReduce",
        "ncclBroadcast",
        "ncclAllGather",
        "ncclReduceScatter",
        "ncclSend",
        "ncclRecv"
    };

    private static final int ID_BYTES = 128;
    /** {@code NCCL_SHRINK_ABORT}: ends the waits of the parent. */
    private static final int SHRINK_ABORT = 1;

    private final Cuda cuda;

    /** The memory to which NCCL may still write the addresses of abandoned children. Concurrent; never emptied. */
    private final Queue<PointerPointer<Pointer>> written = new ConcurrentLinkedQueue<>();

    Nccl(Cuda cuda) {
        this.cuda = cuda;
    }

    /** Returns CUDA, which is loaded before NCCL. */
    public Cuda cuda() {
        return cuda;
    }

    /** Returns 22907 for 2.29.7. */
    public int version() {
        int[] version = new int[1];
        check("ncclGetVersion", nccl.ncclGetVersion(version));
        return version[0];
    }

    /** Returns a new id, which all ranks of a communicator need. The calling process must be one of them. */
    public byte[] uniqueId() {
        try (ncclUniqueId id = new ncclUniqueId()) {
            check("ncclGetUniqueId", nccl.ncclGetUniqueId(id));
            byte[] bytes = new byte[ID_BYTES];
            for (int i = 0; i < ID_BYTES; i++) {
                bytes[i] = id.internal(i);
            }
            return bytes;
        }
    }

    /**
     * Begins to create a communicator on the device of the calling thread; returns its address at once. The creation may
     * already have failed: then {@link #asyncError} returns the error, and the communicator must be freed like any other.
     */
    public long create(byte[] uniqueId, int rank, int worldSize) {
        try (ncclUniqueId id = new ncclUniqueId();
                ncclConfig_t config = NcclConfig.nonBlocking()) {
            for (int i = 0; i < ID_BYTES; i++) {
                id.internal(i, uniqueId[i]);
            }
            ncclComm communicator = new ncclComm();
            int result = nccl.ncclCommInitRankConfig(communicator, worldSize, id, rank, config);
            if (communicator.isNull()) {
                check("ncclCommInitRankConfig", result);
            }
            return communicator.address();
        }
    }

    /** Returns {@link #SUCCESS}, {@link #IN_PROGRESS}, or the error of the work in the background. */
    public int asyncError(long communicator) {
        int[] error = new int[1];
        check("ncclCommGetAsyncError", nccl.ncclCommGetAsyncError(communicator(communicator), error));
        return error[0];
    }

    /** Returns the rank of this process in it. */
    public int rank(long communicator) {
        int[] rank = new int[1];
        check("ncclCommUserRank", nccl.ncclCommUserRank(communicator(communicator), rank));
        return rank[0];
    }

    /** Returns the number of its ranks. */
    public int worldSize(long communicator) {
        int[] count = new int[1];
        check("ncclCommCount", nccl.ncclCommCount(communicator(communicator), count));
        return count[0];
    }

    /** Returns NCCL's description of an error of this communicator. */
    public String describe(long communicator, int error) {
        BytePointer last = nccl.ncclGetLastError(communicator(communicator));
        return nccl.ncclGetErrorString(error).getString() + (last == null ? "" : ", " + last.getString());
    }

    /** Begins to end a communicator together with its peers. */
    public void finish(long communicator) {
        check("ncclCommFinalize", nccl.ncclCommFinalize(communicator(communicator)));
    }

    /** Frees a finished communicator. */
    public void destroy(long communicator) {
        check("ncclCommDestroy", nccl.ncclCommDestroy(communicator(communicator)));
    }

    /** Ends the waits of a communicator, and frees it. May be called while other threads wait for its work. */
    public void abort(long communicator) {
        check("ncclCommAbort", nccl.ncclCommAbort(communicator(communicator)));
    }

    /** Begins to collect calls of this thread. */
    public void groupStart() {
        check("ncclGroupStart", nccl.ncclGroupStart());
    }

    /** Executes the collected calls. */
    public void groupEnd() {
        check("ncclGroupEnd", nccl.ncclGroupEnd());
    }

    /** A child communicator that NCCL may not have created yet. */
    public final class Child {
        private final PointerPointer<Pointer> out = new PointerPointer<>(1);

        private Child() {
            out.put(0, (Pointer) null);
        }

        /** Returns its address, once the parent is no longer in progress; 0 if this rank is not in it. */
        public long address() {
            Pointer created = out.get(0);
            return created == null ? 0 : created.address();
        }

        /** Keeps the memory to which NCCL writes the address, perhaps after this object is gone. */
        public void keep() {
            written.add(out);
        }
    }

    /** Begins to split a communicator: ranks of the same colour form one, in the order of their keys. */
    public Child split(long communicator, int colour, int key) {
        require("ncclCommSplit", "2.18");
        Child child = new Child();
        try (ncclConfig_t config = NcclConfig.nonBlocking()) {
            check("ncclCommSplit", nccl.ncclCommSplit(communicator(communicator), colour, key, child.out, config));
        }
        return child;
    }

    /** Begins to create a communicator without these ranks; ends the waits of the parent. */
    public Child shrink(long communicator, int[] excludedRanks) {
        require("ncclCommShrink", "2.27");
        Child child = new Child();
        try (ncclConfig_t config = NcclConfig.nonBlocking();
                IntPointer excluded = new IntPointer(excludedRanks)) {
            check(
                    "ncclCommShrink",
                    nccl.ncclCommShrink(
                            communicator(communicator),
                            excluded,
                            excludedRanks.length,
                            child.out,
                            config,
                            SHRINK_ABORT));
        }
        return child;
    }

    /** Calling a missing symbol would end the process. */
    private void require(String symbol, String since) {
        if (Loader.addressof(symbol) == null) {
            throw new GpuUnavailableException(
                    "%s has no %s: it is NCCL %s, and the function exists since %s"
                            .formatted(NativeLibrary.NCCL.location(), symbol, versionText(version()), since),
                    null);
        }
    }

    /** Returns {@code 2.29.7} for 22907. */
    public static String versionText(int version) {
        return version / 10_000 + "." + version / 100 % 100 + "." + version % 100;
    }

    /** Reduces the buffers of all ranks, for all of them. */
    public void allReduce(long from, long to, long count, int type, int reduction, long communicator, long stream) {
        check(
                "ncclAllReduce",
                nccl.ncclAllReduce(
                        at(from), at(to), count, type, reduction, communicator(communicator), Cuda.stream(stream)));
    }

    /** Copies the buffer of one rank to all. */
    public void broadcast(long from, long to, long count, int type, int root, long communicator, long stream) {
        check(
                "ncclBroadcast",
                nccl.ncclBroadcast(
                        at(from), at(to), count, type, root, communicator(communicator), Cuda.stream(stream)));
    }

    /** Concatenates the buffers of all ranks, for all of them; each has {@code count} elements. */
    public void allGather(long from, long to, long count, int type, long communicator, long stream) {
        check(
                "ncclAllGather",
                nccl.ncclAllGather(at(from), at(to), count, type, communicator(communicator), Cuda.stream(stream)));
    }

    /** Reduces the buffers of all ranks, and gives each rank its part of {@code count} elements. */
    public void reduceScatter(long from, long to, long count, int type, int reduction, long communicator, long stream) {
        check(
                "ncclReduceScatter",
                nccl.ncclReduceScatter(
                        at(from), at(to), count, type, reduction, communicator(communicator), Cuda.stream(stream)));
    }

    /** Sends to one rank. */
    public void send(long from, long count, int type, int peer, long communicator, long stream) {
        check("ncclSend", nccl.ncclSend(at(from), count, type, peer, communicator(communicator), Cuda.stream(stream)));
    }

    /** Receives from one rank. */
    public void receive(long to, long count, int type, int peer, long communicator, long stream) {
        check("ncclRecv", nccl.ncclRecv(at(to), count, type, peer, communicator(communicator), Cuda.stream(stream)));
    }

    private static Pointer at(long address) {
        return new Address(address);
    }

    private static ncclComm communicator(long address) {
        return new ncclComm(new Address(address));
    }

    private static void check(String function, int result) {
        if (result != SUCCESS && result != IN_PROGRESS) {
            throw new GpuCallException(
                    function, "NCCL", result, nccl.ncclGetErrorString(result).getString());
        }
    }
}
