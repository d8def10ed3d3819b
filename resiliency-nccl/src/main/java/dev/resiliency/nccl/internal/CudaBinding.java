package dev.resiliency.nccl.internal;

import org.bytedeco.cuda.global.nccl;
import org.bytedeco.javacpp.Loader;

/**
 * What JavaCPP's binding of CUDA on the class path was made for: CUDA 13 unless the user has put an older one there.
 * Looks at it at run time, as the compiler would copy the constants of the binding that it compiles with.
 */
final class CudaBinding {
    private static final String RUNTIME = "cudart@.";

    private CudaBinding() {}

    /** Which CUDA its native part is linked with, such as 13; 0 if it does not say so for this platform. */
    static int cudaVersion() {
        return Loader.loadProperties(org.bytedeco.cuda.presets.cudart.class, Loader.loadProperties(), true)
                .get("platform.link")
                .stream()
                .filter(library -> library.startsWith(RUNTIME))
                .mapToInt(library -> Integer.parseInt(library.substring(RUNTIME.length())))
                .findFirst()
                .orElse(0);
    }

    /** Whose structures of NCCL it knows: 22903 for 2.29.3. */
    static int ncclVersion() {
        try {
            return nccl.class.getField("NCCL_VERSION_CODE").getInt(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the binding does not say for which NCCL it was made", e);
        }
    }
}
