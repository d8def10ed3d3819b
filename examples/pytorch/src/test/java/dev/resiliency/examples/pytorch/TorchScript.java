package dev.resiliency.examples.pytorch;

import java.time.Duration;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.ByteVector;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.gloo.Device;

/**
 * What a script of Python does with {@code init_process_group("gloo")}, in PyTorch's own classes: see {@code _env_rendezvous_handler} and
 * {@code _create_c10d_store} there. Rank 1 ends in the first cycle, once all ranks are connected. The argument is the port of a
 * store of its own.
 */
final class TorchScript {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int RANK = Integer.parseInt(System.getenv("RANK"));
    private static final int WORLD_SIZE = Integer.parseInt(System.getenv("WORLD_SIZE"));
    private static final boolean USES_AGENT_STORE = "True".equals(System.getenv("TORCHELASTIC_USE_AGENT_STORE"));

    private TorchScript() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        String cycle = System.getenv("TORCHELASTIC_RESTART_COUNT");
        TCPStore store = store(Integer.parseInt(System.getenv("MASTER_PORT")));
        TCPStore own = store(Integer.parseInt(arguments[0]));
        own.set("of " + RANK, new ByteVector((byte) RANK));
        own.get("of " + (WORLD_SIZE - 1 - RANK)).close();

        Device device = ProcessGroupGloo.createDeviceForInterface("lo");
        ProcessGroupGloo.Options options = new ProcessGroupGloo.Options(new Milliseconds(LIMIT.toMillis()));
        options.devices(new GlooDeviceVector(device));
        PrefixStore prefixed = new PrefixStore("default_pg/0", store);
        ProcessGroupGloo group = new ProcessGroupGloo(prefixed, RANK, WORLD_SIZE, options);
        Tensor sum = torch.ones(1);
        Work work = group.allreduce(new TensorVector(sum));
        work._wait();
        System.out.printf("cycle %s: the sum is %.0f%n", cycle, sum.item_float());
        if (cycle.equals("0")) {
            if (RANK == 1) {
                Runtime.getRuntime().halt(7);
            }
            Thread.sleep(LIMIT.toMillis()); // until the agent ends it
        }
        Runtime.getRuntime().halt(0); // without the destructors, whose order Java does not know
    }

    /** As PyTorch does: the agent has the store, if it says so, and otherwise rank 0. */
    private static TCPStore store(int port) {
        TCPStoreOptions options = new TCPStoreOptions()
                .port((short) port)
                .isServer(RANK == 0 && !USES_AGENT_STORE)
                .numWorkers(new SizeTPointer(1).put(WORLD_SIZE))
                .timeout(new Milliseconds(LIMIT.toMillis()))
                .useLibUV(false);
        return new TCPStore(System.getenv("MASTER_ADDR"), options);
    }
}
