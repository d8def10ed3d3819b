package dev.resiliency.examples.gpu;

import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.nccl.NcclCommunicator.Reduction;

/** A sum over all ranks whose result is known. */
final class Collective {
    private static final int COUNT = 1 << 20;

    private Collective() {}

    /** Computes the sum and verifies every element of the result. */
    static void sumRight(NcclCommunicator world, CudaStream stream) throws InterruptedException {
        float[] values = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            values[i] = (world.rank() + 1) * (i % 1000);
        }
        try (DeviceBuffer data = DeviceBuffer.allocate(world.device(), DataType.FLOAT32, COUNT)) {
            data.write(values, stream);
            world.allReduce(data, data, Reduction.SUM, stream);
            world.synchronize(stream);
            data.read(values, stream);
        }
        int ranks = world.worldSize() * (world.worldSize() + 1) / 2;
        for (int i = 0; i < COUNT; i++) {
            if (values[i] != (float) ranks * (i % 1000)) {
                throw new IllegalStateException(
                        "element " + i + " is " + values[i] + ", expected " + (float) ranks * (i % 1000));
            }
        }
    }

    /** Starts a sum that a peer never joins, and waits for it. */
    static void hang(NcclCommunicator world, CudaStream stream) throws InterruptedException {
        try (DeviceBuffer data = DeviceBuffer.allocate(world.device(), DataType.FLOAT32, COUNT)) {
            world.allReduce(data, data, Reduction.SUM, stream);
            world.synchronize(stream);
        }
    }
}
