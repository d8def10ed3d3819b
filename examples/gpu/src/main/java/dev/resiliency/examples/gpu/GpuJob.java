package dev.resiliency.examples.gpu;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.NcclAbortedException;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.nccl.NcclCommunicator.Reduction;
import dev.resiliency.state.LiveState;
import dev.resiliency.store.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One rank of the checks that take a job. Rank 0 returns what a row of the table says. */
final class GpuJob implements RestartListener {
    private static final int RESTARTS = 50;
    /** Iterations during which pools of NCCL and CUDA may still grow. */
    private static final int WARM_UP = 5;
    /** Growth beyond this is a leak. */
    private static final long MEMORY_TOLERANCE = 32L << 20;
    /** Until then rank 0 waits for rank 1 in native code. */
    private static final Duration UNTIL_BLOCKED = Duration.ofSeconds(2);

    /** Elements of the live state: 256 MiB. */
    private static final int STATE_SIZE = 64 << 20;

    private static final Duration SHRINK_LIMIT = Duration.ofMinutes(1);

    private final int device;
    private final List<RestartReport> restarts =
            new ArrayList<>(); // written by the monitor thread, read after the call
    /** Bytes in use, by iteration. One that is interrupted early has none. Confined to the function. */
    private final NavigableMap<Integer, Long> usedMemory = new TreeMap<>();
    /** Nanoseconds from the beginning of an abort until the blocked call returned. Confined to the function. */
    private long returned;
    /** When the abort of the last restart began. Written by the abort hook, read by the function. */
    private volatile long abortStart;

    GpuJob(int device) {
        this.device = device;
    }

    /** What a rank does with the communicator of all. */
    private interface Use {
        String of(NcclCommunicator world, CudaStream stream) throws Exception;
    }

    /** Runs a check; returns the detail of its row. */
    String run(CheckPart part) throws InterruptedException {
        RestartableFunction<String> function = switch (part) {
            case SUM -> this::sum;
            case CREATION -> this::creation;
            case CHILD -> this::child;
            case SHRINK -> this::shrink;
            case KILL -> this::kill;
            case RESTARTS -> this::restarts;
            case STATE -> this::state;
            case LIBRARIES, NVML, ILLEGAL, SPIN -> throw new IllegalArgumentException(part + " takes no job");
        };
        String result = Wrapper.builder()
                .abort(Abort.compose(AbortNccl.create(), state -> abortStart = System.nanoTime()))
                .listener(this)
                .build()
                .call(function);
        return result + restartTimes();
    }

    @Override
    public void restarted(RestartReport report) {
        restarts.add(report);
    }

    private String restartTimes() {
        if (restarts.isEmpty()) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "; restart %.1f ms, of it abort %.1f ms",
                median(RestartReport::total),
                median(restart -> restart.phases().getOrDefault(Phase.ABORT, Duration.ZERO)));
    }

    private double median(Function<RestartReport, Duration> time) {
        List<Duration> sorted = restarts.stream().map(time).sorted().toList();
        return sorted.get(sorted.size() / 2).toNanos() / 1e6;
    }

    /** Creates the communicator of all, computes a sum with it, and goes on. */
    private String withWorld(CallWrapper call, Use use) throws Exception {
        try (NcclCommunicator world = NcclCommunicator.bootstrap(call, device);
                CudaStream stream = CudaStream.create(device)) {
            Collective.sumRight(world, stream);
            return use.of(world, stream);
        }
    }

    private String sum(CallWrapper call) throws Exception {
        return withWorld(call, (world, stream) -> {
            world.finish();
            return "sums of " + world.worldSize() + " ranks are correct";
        });
    }

    private String creation(CallWrapper call) throws Exception {
        if (call.iteration() == 0 && call.state().activeRank() == 1) {
            throw failLater();
        }
        return sum(call);
    }

    private String child(CallWrapper call) throws Exception {
        return withWorld(call, (world, stream) -> {
            if (call.iteration() == 0 && world.rank() == 1) {
                throw failLater();
            }
            try (NcclCommunicator half = world.split(0, world.rank())) {
                Collective.sumRight(half, stream);
                half.finish();
            }
            world.finish();
            return "the sum of the next child is correct";
        });
    }

    private static IllegalStateException failLater() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(UNTIL_BLOCKED.toNanos());
        return new IllegalStateException("injected");
    }

    /** Rank 1 leaves out a sum, for which rank 0 does not wait. */
    private String shrink(CallWrapper call) throws Exception {
        return withWorld(call, (world, stream) -> {
            if (world.rank() == 1) {
                call.store().get("shrunk", SHRINK_LIMIT);
                return "excluded";
            }
            try (DeviceBuffer data = DeviceBuffer.allocate(device, DataType.FLOAT32, 1)) {
                world.allReduce(data, data, Reduction.SUM, stream);
                long start = System.nanoTime();
                try (NcclCommunicator rest = world.shrink(Set.of(1))) {
                    double took = (System.nanoTime() - start) / 1e6;
                    Collective.sumRight(rest, stream);
                    call.store().set("shrunk", Value.of(new byte[0]));
                    return String.format(Locale.ROOT, "shrunk in %.1f ms; the sum of the rest is correct", took);
                }
            }
        });
    }

    /** Rank 1 dies after the first sum; rank 0 waits for it in the second one. */
    private String kill(CallWrapper call) throws Exception {
        return withWorld(call, (world, stream) -> {
            if (call.iteration() > 0) {
                world.finish();
                return String.format(
                        Locale.ROOT,
                        "returned %.1f ms after the abort began; the sum after it is correct",
                        returned / 1e6);
            }
            if (world.rank() == 1) {
                killMyself();
            }
            return hangUntilAborted(world, stream);
        });
    }

    private static void killMyself() throws IOException, InterruptedException {
        String pid = Long.toString(ProcessHandle.current().pid());
        new ProcessBuilder("kill", "-KILL", pid).start();
        new CountDownLatch(1).await();
    }

    private String hangUntilAborted(NcclCommunicator world, CudaStream stream) throws InterruptedException {
        try {
            Collective.hang(world, stream);
        } catch (NcclAbortedException e) {
            returned = System.nanoTime() - abortStart;
            throw e;
        }
        throw new IllegalStateException("the sum completed without its peer");
    }

    /** Rank 1 throws in each iteration while rank 0 waits for it in a sum. */
    private String restarts(CallWrapper call) throws Exception {
        return withWorld(call, (world, stream) -> {
            usedMemory.put(call.iteration(), CudaDevices.usedMemory(device));
            if (call.iteration() >= RESTARTS) {
                world.finish();
                return memoryReport();
            }
            call.step(call.iteration()); // a function that fails and comes no further is restarted ever more rarely
            if (world.rank() == 1) {
                throw new IllegalStateException("injected");
            }
            return hangUntilAborted(world, stream);
        });
    }

    private String memoryReport() {
        Map.Entry<Integer, Long> early = usedMemory.ceilingEntry(WARM_UP);
        Map.Entry<Integer, Long> late = usedMemory.lastEntry();
        if (late.getValue() - early.getValue() > MEMORY_TOLERANCE) {
            throw new IllegalStateException("the device memory grew from %d MiB after restart %d to %d MiB"
                    .formatted(early.getValue() >> 20, early.getKey(), late.getValue() >> 20));
        }
        return "%d MiB after restart %d, %d MiB after restart %d"
                .formatted(early.getValue() >> 20, early.getKey(), late.getValue() >> 20, late.getKey());
    }

    /** Rank 0 fails in an update of the state, so that only rank 1 holds it. */
    private String state(CallWrapper call) throws Exception {
        float[] values = new float[STATE_SIZE];
        try (CudaStream stream = CudaStream.create(device)) {
            LiveState state = LiveState.of(call);
            DeviceBuffer weights =
                    state.external("weights", () -> DeviceBuffer.allocate(device, DataType.FLOAT32, STATE_SIZE));
            long step = state.recover(() -> {
                weights.write(values, stream);
                return 0L;
            });
            if (step == 0) {
                values[STATE_SIZE - 1] = 1;
                state.commit(1, () -> weights.write(values, stream));
                if (call.state().activeRank() == 1) {
                    new CountDownLatch(1).await();
                }
                call.step(1);
                state.commit(2, () -> {
                    weights.clear(stream);
                    throw new IllegalStateException("injected");
                });
            }
            weights.read(values, stream);
            if (step != 1 || values[STATE_SIZE - 1] != 1) {
                throw new IllegalStateException("at step " + step + " the last value is " + values[STATE_SIZE - 1]);
            }
            return state.recovery().toString();
        }
    }
}
