package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Path;
import java.security.Security;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The program of one rank in the integration tests. It prints what happens to standard output, a line for each event,
 * and is controlled by system properties:
 *
 * <ul>
 *   <li>{@code iterations}: the function returns in this iteration; before, it runs until it is stopped
 *   <li>{@code misbehave}: what the rank named by {@code misbehaving} does in iteration 0, a {@link Misbehaviour}
 *   <li>{@code javaHome}: where the rank named by {@code misbehaving} finds the Java of its monitor process
 *   <li>{@code softMillis}, {@code hardMillis}, {@code leaseMillis}, {@code asyncStopMillis}: timeouts
 *   <li>{@code heartbeatMillis}: how often the monitor process renews the lease
 *   <li>{@code assignment}: a {@link TestAssignment}
 *   <li>{@code admitsNobody}: whether processes that come late or twice are refused
 *   <li>{@code storePort}: the port of a standalone store server, or one port for each rank, separated by commas; without
 *       it, rank 0 hosts the store
 *   <li>{@code trust}: the file with the authority of that server, which has {@link #SECRET}
 *   <li>{@code minRanks}, {@code maxRanks}, {@code rendezvousMillis}, {@code replacementMillis}, {@code joinMillis}: of
 *       {@link Elasticity}
 *   <li>{@code staying}: the rank whose process ends only when its input does, since it may host the store
 *   <li>{@code endsWithStore}: whether the job ends with its store
 *   <li>{@code pidFile}: the file in which the monitor process keeps its id
 * </ul>
 */
final class RankProgram {
    /** Known to this program alone: no variable names it. */
    static final Secret SECRET = Secret.of("known to the program alone".getBytes(UTF_8));

    private RankProgram() {}

    /** Starts a job of this program with these system properties. */
    static ProcessJob start(int worldSize, Path directory, String... properties) throws IOException {
        return ProcessJob.builder(RankProgram.class, directory)
                .worldSize(worldSize)
                .javaOptions(properties)
                .start();
    }

    /** What a rank does in the first call of its function. */
    enum Misbehaviour {
        NOTHING,
        THROW,
        STOP_PINGING,
        SPIN,
        ABORT,
        EXIT,
        /** It waits for a task of a pool, which keeps its error to itself. */
        LOSE_LOADER
    }

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        Leftovers leftovers = Leftovers.before();
        try {
            Wrapper.Builder builder = Wrapper.builder()
                    .progressWatchdogInterval(Duration.ofMillis(50))
                    .monitorProcessInterval(Duration.ofMillis(50))
                    .heartbeatInterval(Duration.ofMillis(Integer.getInteger("heartbeatMillis", 100)))
                    .heartbeatTimeout(Duration.ofMillis(Integer.getInteger("leaseMillis", 30_000)))
                    .softTimeout(Duration.ofMillis(Integer.getInteger("softMillis", 10_000)))
                    .hardTimeout(Duration.ofMillis(Integer.getInteger("hardMillis", 20_000)))
                    .terminationGraceTime(Duration.ofMillis(200))
                    .asyncStopDelay(Duration.ofMillis(Integer.getInteger("asyncStopMillis", 5_000)))
                    .barrierTimeout(Duration.ofSeconds(60));
            builder.elasticity(new Elasticity(
                    Integer.getInteger("minRanks", 1),
                    Integer.getInteger("maxRanks", Elasticity.WORLD_SIZE),
                    Duration.ofMillis(Integer.getInteger("rendezvousMillis", 600_000)),
                    Duration.ofMillis(Integer.getInteger("replacementMillis", 0)),
                    Duration.ofMillis(Integer.getInteger("joinMillis", 1_000)),
                    Boolean.getBoolean("admitsNobody") ? Admission.never() : Admission.immediately()));
            String assignment = System.getProperty("assignment");
            if (assignment != null) {
                builder.rankAssignment(TestAssignment.valueOf(assignment).get());
            }
            builder.refound(!Boolean.getBoolean("endsWithStore"));
            String storePort = System.getProperty("storePort");
            if (storePort != null) {
                String[] ports = storePort.split(",", -1);
                String port = ports[Math.min(Integer.parseInt(System.getenv("RANK")), ports.length - 1)];
                builder.store(external(Integer.parseInt(port)));
            }
            String pidFile = System.getProperty("pidFile");
            if (pidFile != null) {
                builder.monitorProcessPidFile(pidFile);
            }
            String javaHome = System.getProperty("javaHome");
            if (javaHome != null && System.getProperty("misbehaving", "").equals(System.getenv("RANK"))) {
                Security.getProviders(); // the JDK reads files of its own there, when it first needs them
                System.setProperty("java.home", javaHome);
            }
            Integer result = builder.build().call(RankProgram::train);
            System.out.println("RESULT " + result);
        } catch (Throwable thrown) {
            System.out.println("THROWN " + thrown.toString().replace('\n', ' '));
        }
        if (System.getProperty("staying", "").equals(System.getenv("RANK"))) {
            System.in.read();
        }
        System.out.println("LEFT " + leftovers.now());
    }

    private static StoreFactory external(int port) {
        Duration limit = Duration.ofMinutes(2); // a starved server answers late
        String trust = System.getProperty("trust");
        return trust == null
                ? StoreFactory.external("127.0.0.1", port, limit)
                : StoreFactory.external(
                        "127.0.0.1", port, limit, SECRET, Tls.create().trust(Path.of(trust)));
    }

    @SuppressWarnings("SystemOut")
    private static int train(CallWrapper call) throws Exception {
        State state = call.state();
        System.out.println("%s as initial rank %d, generation %d, %d restarts"
                .formatted(state.entry(), state.initialRank(), state.generation(), state.jobRestarts()));
        System.out.println("ENTERED %d of %d, iteration %d"
                .formatted(state.activeRank(), state.activeWorldSize(), state.iteration()));
        if (state.iteration() == Integer.getInteger("iterations")) {
            return state.activeRank();
        }
        if (state.iteration() == 0 && state.initialRank() == Integer.getInteger("misbehaving", -1)) {
            misbehave(call, Misbehaviour.valueOf(System.getProperty("misbehave")));
        }
        try {
            while (true) {
                call.ping();
                Thread.sleep(1);
            }
        } finally {
            System.out.println("STOPPED in iteration " + state.iteration());
        }
    }

    private static void misbehave(CallWrapper call, Misbehaviour misbehaviour) throws Exception {
        switch (misbehaviour) {
            case NOTHING -> {}
            case THROW -> throw new IllegalStateException("loss is NaN");
            case ABORT -> throw new dev.resiliency.inprocess.RestartAbort("no more data");
            case SPIN -> {
                call.ping();
                spinForEver();
            }
            case EXIT -> System.exit(3);
            case LOSE_LOADER -> {
                call.ping();
                BlockingQueue<byte[]> batches = new ArrayBlockingQueue<>(4);
                Future<?> loading = Executors.newSingleThreadExecutor().submit(() -> load(batches));
                batches.take();
                loading.get();
            }
            case STOP_PINGING -> {
                call.ping();
                while (true) {
                    Thread.sleep(1);
                }
            }
        }
    }

    /** Runs out of memory before it has loaded anything. */
    private static void load(BlockingQueue<byte[]> batches) {
        List<long[]> cache = new ArrayList<>();
        while (cache.size() < 1_000) {
            cache.add(new long[Integer.MAX_VALUE - 8]);
        }
        batches.add(new byte[1]);
    }

    /** A computation that neither an abort nor an interrupt can stop. */
    private static void spinForEver() {
        while (true) {
            Thread.onSpinWait();
        }
    }
}
