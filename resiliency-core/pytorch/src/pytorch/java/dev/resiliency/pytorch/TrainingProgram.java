package dev.resiliency.pytorch;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The program of one rank in the integration tests: sums tensors over all ranks, until the given iteration ends. It prints a line
 * for each event, those with a time in nanoseconds of the clock that all processes of the host share. System properties
 * control it:
 *
 * <ul>
 *   <li>{@code iterations}: the function returns in this iteration, after {@code steps} steps of it
 *   <li>{@code faults}: those to inject, separated by commas; steps are counted through all iterations of the process
 *   <li>{@code throwing}: the rank that throws in each iteration, after 3 steps
 *   <li>{@code reducer}: whether gradients are summed in {@code backward()}, by a {@code Reducer}
 *   <li>{@code rendezvousFault}: whether the fault happens once all others wait for this rank in the rendezvous
 *   <li>{@code storePort}: the port of a standalone store server; without it, rank 0 hosts the store
 * </ul>
 */
final class TrainingProgram {
    private static final int THROWS_AFTER = 3;
    private static final FaultInjector FAULTS =
            new FaultInjector(Stream.of(System.getProperty("faults", "").split(",", -1))
                    .filter(fault -> !fault.isEmpty())
                    .map(Fault::parse)
                    .toList(), fault -> mark("FAULT", 0));
    private static long step;

    private TrainingProgram() {}

    public static void main(String[] arguments) {
        try {
            TorchLibrary.load();
            Wrapper.Builder builder = Wrapper.builder()
                    .progressWatchdogInterval(Duration.ofMillis(50))
                    .monitorProcessInterval(Duration.ofMillis(50))
                    .heartbeatInterval(Duration.ofMillis(100))
                    .heartbeatTimeout(Duration.ofSeconds(30))
                    .softTimeout(Duration.ofMillis(Integer.getInteger("softMillis", 10_000)))
                    .hardTimeout(Duration.ofMillis(Integer.getInteger("hardMillis", 20_000)))
                    .terminationGraceTime(Duration.ofMillis(200))
                    .barrierTimeout(Duration.ofSeconds(60))
                    .elasticity(new Elasticity(
                            1,
                            Elasticity.WORLD_SIZE,
                            Duration.ofMinutes(1),
                            Duration.ZERO,
                            Duration.ofSeconds(1),
                            Elasticity.Admission.immediately()));
            builder.listener(new RestartListener() {
                @Override
                public void restarted(RestartReport report) {
                    report.interruptions().forEach(each -> say("CAUSE " + each.kind() + " on " + each.rank()));
                }
            });
            Integer storePort = Integer.getInteger("storePort");
            if (storePort != null) {
                builder.store(StoreFactory.external("127.0.0.1", storePort, Duration.ofSeconds(20)));
            }
            say("RESULT " + builder.build().call(TrainingProgram::train));
        } catch (Throwable thrown) {
            thrown.printStackTrace();
            say("THROWN " + thrown.toString().replace('\n', ' '));
        }
    }

    private static int train(CallWrapper call) throws Exception {
        int iteration = call.iteration();
        mark("ENTERED", iteration);
        if (Boolean.getBoolean("rendezvousFault")) {
            awaitTheOthersListeners(call);
            FAULTS.stepStarts(call, ++step);
        }
        try (TensorGroup group = ProcessGroups.gloo(call, Duration.ofSeconds(10), Duration.ofMinutes(2));
                SmallNet net = new SmallNet(Boolean.getBoolean("reducer") ? group.processGroup() : null)) {
            mark("GROUP", iteration);
            say("WORLD " + group.size() + " in iteration " + iteration);
            for (int own = 1; ; own++) {
                call.ping();
                FAULTS.stepStarts(call, ++step);
                if (own > THROWS_AFTER && call.state().initialRank() == Integer.getInteger("throwing", -1)
                        && iteration < Integer.getInteger("iterations")) {
                    mark("FAULT", iteration);
                    throw new IllegalStateException("loss is NaN");
                }
                net.step(group);
                if (own == 1) {
                    mark("STEP", iteration);
                    resources(iteration);
                }
                if (iteration >= Integer.getInteger("iterations") && own == Integer.getInteger("steps", 20)) {
                    checkAll(group);
                    return group.size();
                }
            }
        } finally {
            mark("LEFT", iteration);
        }
    }

    /** Waits until this rank is the only one that has no listener, so that all others wait for it. */
    private static void awaitTheOthersListeners(CallWrapper call) throws InterruptedException {
        boolean isVictim = Fault.parse(System.getProperty("faults")).rank() == call.state().initialRank();
        if (call.iteration() == 0 && isVictim) {
            for (int rank = 0; rank < call.state().activeWorldSize(); rank++) {
                if (rank != call.state().activeRank()) {
                    call.store().get("pytorch/group/1-listener/" + rank);
                }
            }
        }
    }

    private static void checkAll(TensorGroup group) throws InterruptedException {
        try (Tensor own = torch.full(new long[] {2}, new org.bytedeco.pytorch.Scalar(group.rank()));
                Tensor all = group.allGather(own)) {
            require(all.sizes().vec().get().length == 2 && all.sum().item_double() == group.size() * (group.size() - 1.0), "allGather");
            group.broadcast(own, group.size() - 1);
            require(own.sum().item_double() == 2.0 * (group.size() - 1), "broadcast");
            group.allReduce(own);
            require(own.sum().item_double() == 2.0 * (group.size() - 1) * group.size(), "allReduce");
            group.barrier();
        }
    }

    static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what + " has a wrong result");
        }
    }

    private static void resources(int iteration) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"));
                Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            List<String> statm = Arrays.asList(Files.readString(Path.of("/proc/self/statm")).split(" ", -1));
            say("RESOURCES %d descriptors %d threads %d pages %s"
                    .formatted(iteration, descriptors.count(), threads.count(), statm.get(1)));
        }
    }

    private static void mark(String event, int iteration) {
        say("%s %d %d".formatted(event, iteration, System.nanoTime()));
    }

    @SuppressWarnings("SystemOut") // read by the test
    private static void say(String line) {
        System.out.println(line);
    }
}
