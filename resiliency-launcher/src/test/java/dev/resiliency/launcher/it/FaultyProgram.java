package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * A wrapped job whose ranks hold sockets to each other, of which the first process of a rank is broken at a step. Completes when a
 * file appears. The first argument has faults, separated by commas, or the name of one of this program; empty for none.
 */
final class FaultyProgram {
    private static final int STEP = 100;
    private static final int BROKEN = 1;
    /** How many bytes of its heap a rank leaves that thrashes. */
    private static final int LEFT = 1 << 18;

    /** Faults for which a rank needs a monitor process of its own. */
    private static final List<String> OF_THE_MONITOR_PROCESS = List.of("kill-monitor", "host-loss");

    private static boolean isBroken;

    private FaultyProgram() {}

    public static void main(String[] arguments) throws Exception {
        boolean isFirst = "0".equals(System.getenv("TORCHELASTIC_RESTART_COUNT"));
        String own = isFirst && !arguments[0].contains(":") ? arguments[0] : "";
        FaultInjector injector = new FaultInjector(
                isFirst && arguments[0].contains(":")
                        ? Stream.of(arguments[0].split(",", -1))
                                .map(Fault::parse)
                                .toList()
                        : List.of());
        Path end = Path.of(arguments[1]);
        Wrapper.Builder settings = Wrapper.builder();
        if (OF_THE_MONITOR_PROCESS.stream().anyMatch(arguments[0]::startsWith)) {
            settings.monitorProcessPidFile(
                    end.resolveSibling("monitor-{rank}.pid").toString());
        }
        settings.progressWatchdogInterval(Duration.ofMillis(100))
                .monitorProcessInterval(Duration.ofMillis(100))
                .softTimeout(Duration.ofSeconds(4))
                .hardTimeout(Duration.ofSeconds(8))
                .asyncStopDelay(Duration.ofSeconds(1))
                .heartbeatTimeout(Duration.ofSeconds(10))
                .warmUp(false)
                .build()
                .call(call -> {
                    train(call, injector, own, end);
                    return null;
                });
    }

    @SuppressWarnings("SystemOut") // read by the test
    private static void train(CallWrapper call, FaultInjector injector, String own, Path end) throws Exception {
        if (!call.state().isActive()) {
            return;
        }
        System.out.printf("trains in a world of %d%n", call.state().activeWorldSize());
        try (RankRing ring = new RankRing(call)) {
            boolean goesOn = true;
            for (int step = 0; goesOn; step++) {
                call.step(step);
                injector.stepStarts(call, step);
                if (step == STEP && call.state().initialRank() == BROKEN && !isBroken) {
                    isBroken = true;
                    misbehave(own);
                }
                Thread.sleep(5);
                goesOn = ring.allReduce(Files.exists(end) ? 1 : 0) == 0;
            }
        }
    }

    @SuppressWarnings("SystemOut") // read by the test
    private static void misbehave(String how) throws Exception {
        switch (how) {
            case "cleanup" -> throwAndStay();
            case "lock" -> awaitLock();
            case "thrash" -> collectGarbage();
            case "slow" -> {
                Thread.sleep(2_000);
                System.out.println("is slow no more");
            }
            default -> {}
        }
    }

    @SuppressWarnings("try") // the cleanup only needs to be closed
    private static void throwAndStay() throws Exception {
        try (AutoCloseable cleanup = new CountDownLatch(1)::await) { // as for the others
            throw new IllegalStateException("loss is NaN");
        }
    }

    /** Leaves so little memory that the JVM does nothing but collect garbage, and never fails. */
    private static void collectGarbage() {
        List<byte[]> kept = new ArrayList<>();
        try {
            while (true) {
                kept.add(new byte[1 << 14]);
            }
        } catch (OutOfMemoryError full) {
            kept.subList(0, LEFT >> 14).clear();
        }
        while (true) {
            kept.set(0, new byte[1 << 10]);
        }
    }

    private static void awaitLock() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch isHeld = new CountDownLatch(1);
        Thread holder = new Thread(
                () -> {
                    lock.lock();
                    isHeld.countDown();
                    while (true) {
                        LockSupport.park();
                    }
                },
                "holder");
        holder.setDaemon(true);
        holder.start();
        isHeld.await();
        lock.lockInterruptibly();
    }
}
