package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.testing.FakeCallWrapper;

/** The work of one rank with a communicator of all ranks and a stream, on the device of the same number. */
interface Work<T> {
    T on(NcclCommunicator world, CudaStream stream) throws Exception;

    static <T> T with(FakeCallWrapper call, int rank, Work<T> work) throws Exception {
        try (NcclCommunicator world = NcclCommunicator.bootstrap(call, rank);
                CudaStream stream = CudaStream.create(rank)) {
            T result = work.on(world, stream);
            world.finish();
            return result;
        }
    }

    static DeviceBuffer floats(CudaStream stream, float... values) {
        DeviceBuffer buffer = DeviceBuffer.allocate(stream.device(), DataType.FLOAT32, values.length);
        buffer.write(values, stream);
        return buffer;
    }

    static float[] read(DeviceBuffer buffer, NcclCommunicator world, CudaStream stream) throws InterruptedException {
        world.synchronize(stream);
        float[] values = new float[(int) buffer.count()];
        buffer.read(values, stream);
        return values;
    }
}
