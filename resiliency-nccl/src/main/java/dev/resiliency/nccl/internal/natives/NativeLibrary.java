package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;

/** A library of the host, and where to find it. */
enum NativeLibrary {
    /** The library of the driver. */
    CUDA("libcuda", "libcuda.so.1", "install the NVIDIA driver (580 or newer for CUDA 13, 525 or newer for CUDA 12)"),
    /** The CUDA runtime, of the version that the binding is linked with. */
    CUDART("libcudart", "libcudart.so." + CudaBinding.cudaVersion(), runtimeAdvice(CudaBinding.cudaVersion())),
    /** NCCL. */
    NCCL("libnccl", "libnccl.so.2", "install NCCL, or give the path of a wheel's libnccl.so.2"),
    /** The driver's management library. */
    NVML("libnvidia-ml", "libnvidia-ml.so.1", "install the NVIDIA driver");

    private final String name;
    private final String soname;
    private final String advice;

    NativeLibrary(String name, String soname, String advice) {
        this.name = name;
        this.soname = soname;
        this.advice = advice;
    }

    /** The binding is linked with one version, so a path to another version is no help. */
    private static String runtimeAdvice(int version) {
        return "install CUDA %d, or use a wheel's libcudart.so.%d, or use the jars for the CUDA version of this host: "
                        .formatted(version, version)
                + "org.bytedeco:cuda:12.9-9.10-1.5.12 with javacpp:1.5.12 for CUDA 12,"
                + " org.bytedeco:cuda:13.1-9.19-1.5.13 with javacpp:1.5.13 for CUDA 13";
    }

    /** Returns what users can do to get it. */
    String advice() {
        return advice;
    }

    /** Returns the system property for an explicit path, such as {@code resiliency.libnccl}. */
    String property() {
        return "resiliency." + name;
    }

    /** Returns the variable for an explicit path if the property is not set, such as {@code RESILIENCY_LIBNCCL}. */
    String variable() {
        return "RESILIENCY_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Returns the explicit path, or the name for which the dynamic linker searches. */
    String location() {
        String property = System.getProperty(property());
        if (property != null) {
            return property;
        }
        String variable = System.getenv(variable());
        return variable != null ? variable : soname;
    }

    /**
     * Loads the library, with its symbols visible to all libraries loaded later. JavaCPP then finds it by its soname,
     * whatever its path is.
     *
     * @throws GpuUnavailableException if it cannot be loaded
     */
    void load() {
        String location = location();
        if (!location.equals(soname) && !Files.isRegularFile(Path.of(location))) {
            throw missing(
                    "there is no file " + location + ", which " + property() + " or " + variable() + " names", null);
        }
        try {
            Loader.loadGlobal(location);
            Loader.loadGlobal(soname); // fails if the path leads to another version
        } catch (UnsatisfiedLinkError e) {
            throw missing("it cannot be loaded from " + location + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks that it has these symbols, since calling a missing one ends the process.
     *
     * @throws GpuUnavailableException that names the first missing one
     */
    void require(String... symbols) {
        for (String symbol : symbols) {
            if (!has(symbol)) {
                throw missing("it has no symbol " + symbol + ": it is too old", null);
            }
        }
    }

    static boolean has(String symbol) {
        return Loader.addressof(symbol) != null;
    }

    private GpuUnavailableException missing(String reason, @Nullable Throwable cause) {
        return new GpuUnavailableException(
                "%s: %s. To use a GPU, %s; the system property %s or the variable %s can give its path"
                        .formatted(soname, reason, advice, property(), variable()),
                cause);
    }
}
