package dev.resiliency.xgboost;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import ml.dmlc.xgboost4j.java.Communicator.OpType;

/**
 * The program of one rank in the integration tests: boosts a model with the other ranks. It prints a line for each event,
 * those with a time in nanoseconds of the clock that all processes of the host share. System properties control it:
 *
 * <ul>
 *   <li>{@code rounds}: how many rounds the model has at the end
 *   <li>{@code variant}: what is trained, see {@link Variant}
 *   <li>{@code faults}: those to inject, separated by commas; the step is the number of the round, from 1 on
 *   <li>{@code throwing}: the rank that throws in each of the first {@code iterations} iterations, after 2 rounds of it
 *   <li>{@code faultIn}: where the fault happens instead: {@code meeting}, once all others wait for this rank, or {@code
 *       connecting}, once XGBoost waits for it on another rank
 *   <li>{@code minRanks}: fewer active ranks wait for others to come
 *   <li>{@code storePort}: the port of a standalone store server; without it, rank 0 hosts the store
 * </ul>
 */
final class BoostingProgram {
    private static final int THROWS_AFTER = 2;
    private static final FaultInjector FAULTS =
            new FaultInjector(Stream.of(System.getProperty("faults", "").split(",", -1))
                    .filter(fault -> !fault.isEmpty())
                    .map(Fault::parse)
                    .toList(), fault -> mark("FAULT", 0));
    private static final int ROUNDS = Integer.getInteger("rounds", 20);
    private static final Variant VARIANT = Variant.valueOf(System.getProperty("variant", "PLAIN"));
    private static final Rows ROWS = Rows.random(VARIANT);

    private BoostingProgram() {}

    public static void main(String[] arguments) {
        try {
            XGBoostLibrary.load();
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
                            Integer.getInteger("minRanks", 1),
                            Elasticity.WORLD_SIZE,
                            Duration.ofMinutes(1),
                            Duration.ZERO,
                            Duration.ofSeconds(1),
                            Elasticity.Admission.immediately()))
                    .listener(new RestartListener() {
                        @Override
                        public void restarted(RestartReport report) {
                            report.interruptions().forEach(each -> say("CAUSE " + each.kind() + " on " + each.rank()));
                        }
                    });
            Integer storePort = Integer.getInteger("storePort");
            if (storePort != null) {
                builder.store(StoreFactory.external("127.0.0.1", storePort, Duration.ofSeconds(20)));
            }
            say("RESULT " + builder.build().call(BoostingProgram::train));
        } catch (Throwable thrown) {
            thrown.printStackTrace();
            say("THROWN " + thrown.toString().replace('\n', ' '));
            System.exit(1);
        }
    }

    private static String train(CallWrapper call) throws Exception {
        int iteration = call.iteration();
        mark("ENTERED", iteration);
        breakBeforeConnecting(call);
        try (XGBoostGroup group = XGBoostGroup.connect(call, Duration.ofMinutes(2))) {
            mark("GROUP", iteration);
            say("WORLD " + group.size() + " in iteration " + iteration);
            checkCollectives(group);
            Boosting boosting = Boosting.begin(VARIANT, group, ROWS);
            LiveBooster live = boosting.live();
            int first = live.rounds();
            say("RECOVERED " + first + " in iteration " + iteration);
            while (live.rounds() < ROUNDS && !boosting.isOver()) {
                FAULTS.stepStarts(call, live.rounds() + 1);
                if (live.rounds() >= first + THROWS_AFTER
                        && call.state().initialRank() == Integer.getInteger("throwing", -1)
                        && iteration < Integer.getInteger("iterations")) {
                    mark("FAULT", iteration);
                    throw new IllegalStateException("loss is NaN");
                }
                boosting.round();
                if (live.rounds() == first + 1) {
                    mark("ROUND", iteration);
                    resources(iteration);
                }
            }
            return group.size() + " " + live.rounds() + " " + digest(live.model());
        } finally {
            mark("LEFT", iteration);
        }
    }

    private static void breakBeforeConnecting(CallWrapper call) throws Exception {
        String where = System.getProperty("faultIn", "");
        if (where.isEmpty() || call.iteration() > 0) {
            return;
        }
        int own = call.state().activeRank();
        if (Fault.parse(System.getProperty("faults")).rank() != call.state().initialRank()) {
            return;
        }
        for (int rank = 0; rank < call.state().activeWorldSize(); rank++) {
            if (rank != own) {
                call.store().get("xgboost/group/1/" + rank);
            }
        }
        if (where.equals("connecting")) {
            try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                call.store().set("xgboost/group/1/" + own, "127.0.0.1/" + listener.getLocalPort());
                try (Socket before = listener.accept()) { // the rank before this one waits for others, and the next one for this
                    say("CONNECTED " + before.isConnected());
                    FAULTS.stepStarts(call, 1);
                }
            }
        }
        FAULTS.stepStarts(call, 1);
    }

    private static void checkCollectives(XGBoostGroup group) throws InterruptedException {
        int size = group.size();
        long sum = size * (size - 1L) / 2;
        require(group.allReduce(new long[] {group.rank(), 1}, OpType.SUM)[0] == sum, "the sum of longs");
        require(group.allReduce(new double[] {group.rank()}, OpType.MAX)[0] == size - 1, "the maximum of doubles");
        require(group.allReduce(new float[] {group.rank()}, OpType.SUM)[0] == sum, "the sum of floats");
        byte[] text = {0, -1, 77, (byte) group.rank()};
        require(Arrays.equals(group.broadcast(text, size - 1), new byte[] {0, -1, 77, (byte) (size - 1)}), "broadcast");
        require(group.broadcast(new byte[0], 0).length == 0, "broadcast of nothing");
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what + " is wrong");
        }
    }

    private static String digest(byte[] model) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(model), 0, 8) + " of " + model.length + " bytes";
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
