package dev.resiliency.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Uses the stand-in for CUDA, whose modules are texts that contain the names of their kernels. */
@Timeout(60)
class CudaModuleTest {
    private static final String PTX = ".entry momentum( .entry spin(";

    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    @Test
    void argumentsKeepTheirOrderAndType() {
        try (CudaModule module = CudaModule.load(0, PTX);
                CudaStream stream = CudaStream.create(0);
                DeviceBuffer parameters = floats(stream, 1, 2);
                DeviceBuffer velocity = floats(stream, 10, 20);
                DeviceBuffer gradient = floats(stream, 100, 200)) {
            module.launch("momentum", 2, stream, parameters, velocity, gradient, 0.5f, 2f, 2);

            float[] result = new float[2];
            parameters.read(result, stream);
            assertThat(result).containsExactly(1 + 2 * 10 - 50, 2 + 2 * 20 - 100);
        }
    }

    private static DeviceBuffer floats(CudaStream stream, float... values) {
        DeviceBuffer buffer = DeviceBuffer.allocate(stream.device(), DataType.FLOAT32, values.length);
        buffer.write(values, stream);
        return buffer;
    }

    @Test
    void missingKernelIsAnError() {
        try (CudaModule module = CudaModule.load(0, PTX);
                CudaStream stream = CudaStream.create(0)) {
            assertThatExceptionOfType(GpuCallException.class)
                    .isThrownBy(() -> module.launch("adam", 1, stream))
                    .withMessageContaining("cuModuleGetFunction on device 0 failed with error 500");
        }
    }

    @Test
    void argumentOfAnotherTypeIsRefused() {
        try (CudaModule module = CudaModule.load(0, PTX);
                CudaStream stream = CudaStream.create(0)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> module.launch("spin", 1, stream, "text"))
                    .withMessageContaining("java.lang.String");
        }
    }
}
