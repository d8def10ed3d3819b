package dev.resiliency.nccl.internal.health;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuHealthChecks;
import dev.resiliency.nccl.GpuUnavailableException;
import dev.resiliency.nccl.NativeShim;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class CudaHealthCheckTest {
    private static final State STATE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);
    private static final Duration LIMIT = Duration.ofSeconds(1);

    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    @Test
    void deviceThatAnswersIsHealthy() {
        assertThatCode(() -> GpuHealthChecks.cuda().check(STATE)).doesNotThrowAnyException();
    }

    @Test
    void workThatNeverEndsIsDetectedByTheLimit() {
        SHIM.set("cudaDeviceSynchronize", "block");

        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> GpuHealthChecks.cuda(1, LIMIT).check(STATE))
                .withMessageContaining("synchronization of device 1 has not ended within 1000 ms")
                .withMessageContaining("cudaDeviceSynchronize");
    }

    @Test
    void corruptedContextIsDetectedByItsError() {
        SHIM.set("cudaDeviceSynchronize", "fail:700");

        assertThatExceptionOfType(GpuCallException.class)
                .isThrownBy(() ->
                        GpuHealthChecks.cuda(1, GpuHealthChecks.CUDA_LIMIT).check(STATE))
                .withMessageContaining("cudaDeviceSynchronize on device 1 failed with error 700")
                .withMessageContaining("cudaErrorIllegalAddress");
    }

    @Test
    void deviceThatDoesNotExistIsNamed() {
        assertThatExceptionOfType(GpuUnavailableException.class)
                .isThrownBy(() ->
                        GpuHealthChecks.cuda(7, GpuHealthChecks.CUDA_LIMIT).check(STATE))
                .withMessageContaining("there is no device 7: this process sees 2 devices");
    }
}
