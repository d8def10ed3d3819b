package dev.resiliency.launcher.it;

import dev.resiliency.monitor.RankMonitorClient;
import dev.resiliency.monitor.RankMonitorClient.Section;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A rank without a wrapper that stamps what it does, and misbehaves in its first life as its argument says; later ones complete.
 */
final class MonitoredProgram {
    private static final RankMonitorClient MONITOR = RankMonitorClient.ofThisProcess();
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private MonitoredProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws InterruptedException {
        int life = Integer.parseInt(System.getenv("TORCHELASTIC_RESTART_COUNT"));
        MONITOR.nextEvent()
                .map(event -> event.toString().replaceFirst(", time=[^]]+", ""))
                .ifPresent(event -> System.out.println("event " + event));
        System.out.println("life " + life + (MONITOR.isWatched() ? " is watched" : " is not watched"));
        switch (arguments[0]) {
            case "stuck" -> {
                MONITOR.ping(5);
                System.exit(1);
            }
            case "timings" -> work();
            case "truncate" -> truncate();
            case "idle" -> {}
            case "step" -> hangIn("step");
            default -> {
                if (life == 0) {
                    misbehave(arguments[0]);
                }
                MONITOR.ping(life);
            }
        }
        System.out.println("completed");
    }

    @SuppressWarnings("try")
    private static void misbehave(String how) throws InterruptedException {
        switch (how) {
            case "section" -> hangIn("optimizer");
            case "masked" -> maskOuterSection();
            case "silent" -> NEVER.await();
            case "counted" -> {
                work();
                NEVER.await();
            }
            case "exclude" -> MONITOR.request(WorkloadAction.EXCLUDE_THIS_NODE, "ECC errors");
            case "shutdown" -> MONITOR.request(WorkloadAction.SHUTDOWN_WORKLOAD, "the loss is NaN");
            default -> {}
        }
        for (long step = 0; ; step++) {
            MONITOR.ping(step);
            if (step == 20) {
                System.out.println("steps");
            }
            try (Section section = MONITOR.section("step")) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    /** Rank 1 truncates its file, and then pings until the agent has dropped it; others go on for as long. */
    private static void truncate() throws InterruptedException {
        Path file = Path.of(System.getenv("RESILIENCY_MONITOR_FILE"));
        Path dropped = Path.of(System.getenv("DROPPED"));
        boolean isBroken = System.getenv("RANK").equals("1");
        for (long step = 0; !Files.exists(dropped); step++) {
            try {
                if (isBroken && step == 100) {
                    Files.write(file, new byte[0]);
                } else if (isBroken && step > 100 && !Files.exists(file)) {
                    Files.createFile(dropped);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            for (int i = 0; i < 1_000; i++) {
                MONITOR.ping(step * 1_000 + i); // compiled, too
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @SuppressWarnings("try") // the section only needs to be open
    private static void hangIn(String name) throws InterruptedException {
        try (Section section = MONITOR.section(name)) {
            NEVER.await();
        }
    }

    @SuppressWarnings("try")
    private static void maskOuterSection() throws InterruptedException {
        try (Section outer = MONITOR.section("epoch")) {
            while (true) {
                MONITOR.heartbeat();
                try (Section inner = MONITOR.section("step")) {
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            }
        }
    }

    @SuppressWarnings("try")
    private static void work() throws InterruptedException {
        for (long step = 0; step < 30; step++) {
            MONITOR.ping(step);
            try (Section section = MONITOR.section("step")) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }
}
