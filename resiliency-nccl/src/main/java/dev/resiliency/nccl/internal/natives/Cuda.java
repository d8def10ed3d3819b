package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuUnavailableException;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;

/**
 * The calls of the CUDA runtime and driver that this module makes. They concern the device that {@link #setDevice} has
 * selected for the calling thread, and throw {@link GpuCallException} if CUDA returns an error.
 */
public final class Cuda {
    static final String[] DRIVER_SYMBOLS = {
        "cuModuleLoadData", "cuModuleUnload", "cuModuleGetFunction", "cuLaunchKernel", "cuGetErrorName"
    };
    static final String[] RUNTIME_SYMBOLS = {
        "cudaGetDeviceCount",
        "cudaSetDevice",
        "cudaGetDevice",
        "cudaDeviceGetPCIBusId",
        "cudaRuntimeGetVersion",
        "cudaDriverGetVersion",
        "cudaGetErrorName",
        "cudaGetErrorString",
        "cudaDeviceSynchronize",
        "cudaMalloc",
        "cudaFree",
        "cudaMallocHost",
        "cudaFreeHost",
        "cudaMemGetInfo",
        "cudaMemcpyAsync",
        "cudaMemsetAsync",
        "cudaStreamCreateWithFlags",
        "cudaStreamDestroy",
        "cudaStreamSynchronize",
        "cudaStreamQuery"
    };

    private static final int OLD_DRIVER = 35;
    private static final int NO_DEVICE = 100;
    private static final int NOT_READY = 600;
    /** Threads in a block of a kernel. */
    private static final int THREADS = 256;
    /** {@code cudaStreamNonBlocking}: does not wait for the default stream. */
    private static final int NON_BLOCKING = 1;

    Cuda() {}

    /** Free and total bytes of a device. */
    public record Memory(long free, long total) {
        /** Returns the bytes in use, by any process. */
        public long used() {
            return total - free;
        }
    }

    /**
     * Returns how many devices this process sees; {@code CUDA_VISIBLE_DEVICES} hides the others.
     *
     * @throws GpuUnavailableException if the driver is too old for the runtime
     */
    public int deviceCount() {
        int[] count = new int[1];
        int code = cudart.cudaGetDeviceCount(count);
        if (code == NO_DEVICE) {
            return 0;
        }
        if (code == OLD_DRIVER) {
            throw new GpuUnavailableException(
                    "the driver is too old: it supports CUDA %s, but %s is CUDA %s. To use a GPU, %s"
                            .formatted(
                                    versionText(driverVersion()),
                                    NativeLibrary.CUDART.location(),
                                    versionText(runtimeVersion()),
                                    NativeLibrary.CUDA.advice()),
                    null);
        }
        check("cudaGetDeviceCount", code);
        return count[0];
    }

    /**
     * Selects the device of the calling thread.
     *
     * @throws GpuUnavailableException if this process does not see it
     */
    public void setDevice(int device) {
        int count = deviceCount();
        if (device < 0 || device >= count) {
            throw new GpuUnavailableException(
                    "there is no device %d: this process sees %d devices, numbered from 0 (CUDA_VISIBLE_DEVICES is %s)"
                            .formatted(device, count, System.getenv("CUDA_VISIBLE_DEVICES")),
                    null);
        }
        check("cudaSetDevice", cudart.cudaSetDevice(device));
    }

    /** Returns 13010 for 13.1. */
    public int runtimeVersion() {
        int[] version = new int[1];
        check("cudaRuntimeGetVersion", cudart.cudaRuntimeGetVersion(version));
        return version[0];
    }

    /** Returns the newest CUDA that the driver supports: 13000 for 13.0. */
    public int driverVersion() {
        int[] version = new int[1];
        check("cudaDriverGetVersion", cudart.cudaDriverGetVersion(version));
        return version[0];
    }

    /** Returns {@code 13.1} for 13010. */
    public static String versionText(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    /** Returns the name by which NVML also knows the device, such as {@code 0000:81:00.0}. */
    public String pciBusId(int device) {
        try (TextBuffer id = new TextBuffer()) {
            check("cudaDeviceGetPCIBusId", cudart.cudaDeviceGetPCIBusId(id.bytes(), TextBuffer.BYTES, device));
            return id.text();
        }
    }

    /** Waits for all work of the device; forever if a kernel never ends. */
    public void synchronizeDevice() {
        check("cudaDeviceSynchronize", cudart.cudaDeviceSynchronize());
    }

    /** Returns how much memory is free. */
    public Memory memory() {
        try (SizeTPointer free = new SizeTPointer(1);
                SizeTPointer total = new SizeTPointer(1)) {
            check("cudaMemGetInfo", cudart.cudaMemGetInfo(free, total));
            return new Memory(free.get(), total.get());
        }
    }

    /** Allocates device memory; returns its address. */
    public long allocate(long bytes) {
        try (PointerPointer<Pointer> out = new PointerPointer<>(1)) {
            check("cudaMalloc", cudart.cudaMalloc(out, bytes));
            return out.get(0).address();
        }
    }

    /** Frees device memory; waits for the device. */
    public void free(long address) {
        check("cudaFree", cudart.cudaFree(new Address(address)));
    }

    /** Allocates memory of the host that the device reaches by itself. */
    public PinnedMemory allocatePinned(int bytes) {
        try (PointerPointer<Pointer> out = new PointerPointer<>(1)) {
            check("cudaMallocHost", cudart.cudaMallocHost(out, bytes));
            return new PinnedMemory(out.get(0).address(), bytes);
        }
    }

    /** Frees memory of the host, which nothing may use any more. */
    public void free(PinnedMemory memory) {
        check("cudaFreeHost", cudart.cudaFreeHost(new Address(memory.address())));
    }

    /** Copies within device memory. */
    public void copy(long to, long from, long bytes, long stream) {
        copy(new Address(to), new Address(from), bytes, stream);
    }

    /** Copies an array into device memory, and waits for the stream. */
    public void copyIn(long to, float[] from, long stream) {
        try (FloatPointer host = new FloatPointer(from)) {
            copy(new Address(to), host, (long) from.length * Float.BYTES, stream);
            synchronizeStream(stream);
        }
    }

    /** Copies device memory into an array, and waits for the stream. */
    public void copyOut(float[] to, long from, long stream) {
        try (FloatPointer host = new FloatPointer(to.length)) {
            copy(host, new Address(from), (long) to.length * Float.BYTES, stream);
            synchronizeStream(stream);
            host.get(to);
        }
    }

    /** CUDA recognizes by an address whether it is on a device. */
    private static void copy(Pointer to, Pointer from, long bytes, long stream) {
        check("cudaMemcpyAsync", cudart.cudaMemcpyAsync(to, from, bytes, cudart.cudaMemcpyDefault, stream(stream)));
    }

    /** Fills device memory with a byte. */
    public void fill(long address, int value, long bytes, long stream) {
        check("cudaMemsetAsync", cudart.cudaMemsetAsync(new Address(address), value, bytes, stream(stream)));
    }

    /** Creates a stream; returns its address. */
    public long createStream() {
        CUstream_st stream = new CUstream_st();
        check("cudaStreamCreateWithFlags", cudart.cudaStreamCreateWithFlags(stream, NON_BLOCKING));
        return stream.address();
    }

    /** Destroys a stream; its work continues. */
    public void destroyStream(long stream) {
        check("cudaStreamDestroy", cudart.cudaStreamDestroy(stream(stream)));
    }

    /** Waits for all work of a stream; forever if a kernel never ends. */
    public void synchronizeStream(long stream) {
        check("cudaStreamSynchronize", cudart.cudaStreamSynchronize(stream(stream)));
    }

    /** Returns whether all work of a stream is done. */
    public boolean isStreamIdle(long stream) {
        int code = cudart.cudaStreamQuery(stream(stream));
        if (code == NOT_READY) {
            return false;
        }
        check("cudaStreamQuery", code);
        return true;
    }

    /** Loads kernels from PTX; returns the module's address. */
    public long loadModule(String ptx) {
        CUmod_st module = new CUmod_st();
        try (BytePointer text = new BytePointer(ptx)) {
            checkDriver("cuModuleLoadData", cudart.cuModuleLoadData(module, text));
        }
        return module.address();
    }

    /** Unloads a module and its kernels. */
    public void unloadModule(long module) {
        checkDriver("cuModuleUnload", cudart.cuModuleUnload(new CUmod_st(new Address(module))));
    }

    /** Finds a kernel of a module; returns its address. */
    public long kernel(long module, String name) {
        CUfunc_st kernel = new CUfunc_st();
        checkDriver("cuModuleGetFunction", cudart.cuModuleGetFunction(kernel, new CUmod_st(new Address(module)), name));
        return kernel.address();
    }

    /** Enqueues a kernel with one thread for each element; the arguments are Long, Integer or Float. */
    public void launch(long kernel, int count, long stream, Object... arguments) {
        try (BytePointer values = new BytePointer((long) Long.BYTES * Math.max(1, arguments.length));
                PointerPointer<Pointer> parameters = new PointerPointer<>(Math.max(1, arguments.length))) {
            for (int i = 0; i < arguments.length; i++) {
                long at = (long) i * Long.BYTES;
                put(values, at, arguments[i]);
                parameters.put(i, values.getPointer(at));
            }
            checkDriver(
                    "cuLaunchKernel",
                    cudart.cuLaunchKernel(
                            new CUfunc_st(new Address(kernel)),
                            (count + THREADS - 1) / THREADS,
                            1,
                            1,
                            THREADS,
                            1,
                            1,
                            0,
                            stream(stream),
                            parameters,
                            (PointerPointer<?>) null));
        }
    }

    private static void put(BytePointer values, long at, Object argument) {
        if (argument instanceof Long address) {
            values.putLong(at, address);
        } else if (argument instanceof Integer number) {
            values.putInt(at, number);
        } else if (argument instanceof Float number) {
            values.putFloat(at, number);
        } else {
            throw new IllegalArgumentException("an argument of a kernel is a "
                    + argument.getClass().getName() + ": it must be a DeviceBuffer, an Integer or a Float");
        }
    }

    static CUstream_st stream(long address) {
        return new CUstream_st(new Address(address));
    }

    private static void check(String function, int code) {
        if (code != 0) {
            String text = cudart.cudaGetErrorName(code).getString() + ", "
                    + cudart.cudaGetErrorString(code).getString();
            throw new GpuCallException(function, place(), code, text);
        }
    }

    private static void checkDriver(String function, int code) {
        if (code != 0) {
            try (PointerPointer<Pointer> name = new PointerPointer<>(1)) {
                cudart.cuGetErrorName(code, name);
                Pointer text = name.get(0);
                throw new GpuCallException(
                        function, place(), code, text == null ? "unknown" : new BytePointer(text).getString());
            }
        }
    }

    /** Returns the device of the calling thread, for a message. */
    private static String place() {
        int[] device = new int[1];
        return cudart.cudaGetDevice(device) == 0 ? "device " + device[0] : "an unknown device";
    }
}
