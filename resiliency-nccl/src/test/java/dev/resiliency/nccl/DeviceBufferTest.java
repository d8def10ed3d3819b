package dev.resiliency.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.state.LiveState;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Uses the stand-in for CUDA, whose device memory is that of the host. */
@Timeout(60)
class DeviceBufferTest {
    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    private static final int BYTES = 600_000; // more than two bounce buffers

    private static ByteBuffer random() {
        byte[] bytes = new byte[BYTES];
        new Random(3).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void bytesThatWereWrittenAreReadAgain() {
        try (DeviceBuffer buffer = DeviceBuffer.allocate(0, DataType.INT8, BYTES + 8)) {
            ByteBuffer source = random();
            buffer.write(8, source);
            ByteBuffer target = ByteBuffer.allocateDirect(BYTES);

            buffer.read(8, target);

            assertThat(source.hasRemaining()).isFalse();
            assertThat(target.flip()).isEqualTo(random());
            ByteBuffer end = ByteBuffer.allocate(5);
            buffer.slice(BYTES, 8).read(3, end);
            assertThat(end.flip()).isEqualTo(random().slice(BYTES - 5, 5));
        }
    }

    @Test
    void bytesOutsideAreRefused() {
        try (DeviceBuffer buffer = DeviceBuffer.allocate(0, DataType.FLOAT32, 4)) {
            assertThatIllegalArgumentException().isThrownBy(() -> buffer.read(9, ByteBuffer.allocate(8)));
            assertThatIllegalArgumentException().isThrownBy(() -> buffer.write(-1, ByteBuffer.allocate(1)));
        }
    }

    @Test
    void withoutPinnedMemoryTheCallFails() {
        SHIM.set("cudaMallocHost", "fail:2");
        try (DeviceBuffer buffer = DeviceBuffer.allocate(0, DataType.FLOAT32, 4)) {
            assertThatExceptionOfType(GpuCallException.class)
                    .isThrownBy(() -> buffer.read(0, ByteBuffer.allocate(16)))
                    .withMessageContaining("cudaMallocHost");
        }
    }

    @Test
    void contentsSurviveARestartInALiveState() throws Exception {
        AtomicInteger allocations = new AtomicInteger();
        Wrapper wrapper = Wrapper.builder().warmUp(false).build();

        assertThat(wrapper.<Float>call(call -> train(call, allocations))).isEqualTo(7f);

        assertThat(allocations).hasValue(1);
    }

    private static @Nullable Float train(CallWrapper call, AtomicInteger allocations) throws Exception {
        LiveState state = LiveState.of(call);
        DeviceBuffer weights = state.external("weights", () -> {
            allocations.incrementAndGet();
            return DeviceBuffer.allocate(0, DataType.FLOAT32, 2);
        });
        try (CudaStream stream = CudaStream.create(0)) {
            long step = state.recover(() -> {
                weights.write(new float[] {1, 2}, stream);
                return 3L;
            });
            if (call.iteration() == 0) {
                state.commit(4, () -> weights.write(new float[] {6, 7}, stream));
                throw new IllegalStateException("NaN");
            }
            assertThat(step).isEqualTo(4);
            float[] values = new float[2];
            weights.read(values, stream);
            return values[1];
        }
    }
}
