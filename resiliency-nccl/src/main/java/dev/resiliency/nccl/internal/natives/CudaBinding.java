package dev.resiliency.nccl.internal.natives;

import org.bytedeco.cuda.global.nccl;
import org.bytedeco.javacpp.Loader;

/**
 * The versions for which JavaCPP's binding of CUDA on the class path was made: CUDA 13, unless the user has replaced it by
 * an older one. Reads them at run time, since the compiler copies the constants of the binding that it compiles with.
 */
final class CudaBinding {
    private static final String RUNTIME = "cudart@.";

    private CudaBinding() {}

    /** Returns the CUDA version that its native part is linked with, such as 13; 0 if it is unknown for this platform. */
    static int cudaVersion() {
        return Loader.loadProperties(org.bytedeco.cuda.presets.cudart.class, Loader.loadProperties(), true)
                .get("platform.link")
                .stream()
                .filter(library -> library.startsWith(RUNTIME))
                .mapToInt(library -> Integer.parseInt(library.substring(RUNTIME.length())))
                .findFirst()
                .orElse(0);
    }

    /** Returns the NCCL version whose structures it uses: 22903 for 2.29.3. */
    static int ncclVersion() {
        try {
            return nccl.class.getField("NCCL_VERSION_CODE").getInt(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the binding does not name the NCCL version for which it was made", e);
        }
    }
}
