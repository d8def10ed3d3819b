package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuUnavailableException;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.global.nvml;
import org.bytedeco.javacpp.Loader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the libraries of the host, and then JavaCPP's, which depend on them: the only way to the native code of this module.
 * Each is loaded once, on first use, so a program that uses no GPU needs none of them.
 */
public final class Bindings {
    private static final Logger LOG = LoggerFactory.getLogger(Bindings.class);

    private static final int CRASHES_FROM = 22803;
    private static final int CRASHES_TO = 22808;

    private static final Lazy<Cuda> CUDA = new Lazy<>(Bindings::loadCuda);
    private static final Lazy<Nccl> NCCL = new Lazy<>(Bindings::loadNccl);
    private static final Lazy<Nvml> NVML = new Lazy<>(Bindings::loadNvml);

    static {
        liftMemoryLimit();
    }

    private Bindings() {}

    /**
     * JavaCPP refuses to allocate memory while the whole process uses more than four times its maximum heap. The libraries
     * alone take a rank with a small heap beyond that, so there is no such limit unless the user has set one. JavaCPP reads
     * the property once, when its first class is loaded, which only this class causes.
     */
    private static void liftMemoryLimit() {
        if (System.getProperty("org.bytedeco.javacpp.maxphysicalbytes") == null) {
            System.getProperties().putIfAbsent("org.bytedeco.javacpp.maxPhysicalBytes", "0");
        }
    }

    /**
     * Returns the CUDA driver and runtime.
     *
     * @throws GpuUnavailableException that names what is missing and what to do
     */
    public static Cuda cuda() {
        return CUDA.get();
    }

    /**
     * Returns NCCL; loads CUDA as well.
     *
     * @throws GpuUnavailableException that names what is missing and what to do
     */
    public static Nccl nccl() {
        return NCCL.get();
    }

    /**
     * Returns the management library; loads CUDA as well.
     *
     * @throws GpuUnavailableException that names what is missing and what to do
     */
    public static Nvml nvml() {
        return NVML.get();
    }

    private static Cuda loadCuda() {
        loadJavaCpp(org.bytedeco.javacpp.presets.javacpp.class);
        NativeLibrary.CUDA.load();
        NativeLibrary.CUDART.load();
        NativeLibrary.CUDA.require(Cuda.DRIVER_SYMBOLS);
        NativeLibrary.CUDART.require(Cuda.RUNTIME_SYMBOLS);
        loadJavaCpp(cudart.class);
        return new Cuda();
    }

    private static Nccl loadNccl() {
        Cuda cuda = cuda();
        NativeLibrary.NCCL.load();
        NativeLibrary.NCCL.require(Nccl.SYMBOLS);
        loadJavaCpp(nccl.class);
        Nccl loaded = new Nccl(cuda);
        int version = loaded.version();
        if (version >= CRASHES_FROM && version <= CRASHES_TO) {
            LOG.warn(
                    "{} is NCCL {}: versions {} to {} crash when a communicator is aborted; use another version",
                    NativeLibrary.NCCL.location(),
                    Nccl.versionText(version),
                    Nccl.versionText(CRASHES_FROM),
                    Nccl.versionText(CRASHES_TO));
        }
        return loaded;
    }

    private static Nvml loadNvml() {
        cuda();
        NativeLibrary.NVML.load();
        NativeLibrary.NVML.require(Nvml.SYMBOLS);
        loadJavaCpp(nvml.class);
        return new Nvml();
    }

    /** JavaCPP throws different kinds of {@link LinkageError} the first time and later. */
    private static void loadJavaCpp(Class<?> binding) {
        try {
            Loader.load(binding);
        } catch (LinkageError e) {
            throw new GpuUnavailableException(
                    ("the native part of JavaCPP's %s cannot be loaded: %s. Add to the class path the jars of"
                                    + " org.bytedeco:javacpp and org.bytedeco:cuda with the classifier %s")
                            .formatted(binding.getSimpleName(), e.getMessage(), Loader.getPlatform()),
                    e);
        }
    }
}
