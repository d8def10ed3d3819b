package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.After;
import dev.resiliency.testing.Fault.AtStep;
import dev.resiliency.testing.Fault.Moment;
import dev.resiliency.testing.FaultInjector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Injects the faults of one process: those of its {@code RANK}, whatever number the job has given it, and those of all ranks.
 * Delays count from its first step. Confined to the thread that trains.
 */
final class RankFaults {
    private final List<Fault> own = new ArrayList<>();
    private final List<Moment> ofAll = new ArrayList<>();
    private final Consumer<DemoFault> announce;
    private @Nullable FaultInjector injector; // from the first step on
    private long firstStepAt;

    /**
     * Creates the faults of a rank.
     *
     * @param announce called just before each fault; the process must be killed soon after a fault of all ranks
     */
    RankFaults(int rank, List<DemoFault> faults, Consumer<DemoFault> announce) {
        this.announce = announce;
        for (DemoFault fault : faults) {
            if (fault instanceof DemoFault.OfAll all) {
                ofAll.add(all.moment());
            } else if (fault instanceof DemoFault.OfRank one && one.fault().rank() == rank) {
                own.add(one.fault());
            }
        }
    }

    /** Injects what is due at the beginning of a step. */
    void stepStarts(CallWrapper call, int step) throws IOException, InterruptedException {
        if (injector == null) {
            firstStepAt = System.nanoTime();
            injector = injector(call.state().initialRank());
        }
        for (Moment moment : ofAll) {
            if (isDue(moment, step)) {
                announce.accept(new DemoFault.OfAll(moment));
                new CountDownLatch(1).await();
            }
        }
        injector.stepStarts(call, step);
    }

    private boolean isDue(Moment moment, int step) {
        return moment instanceof AtStep at
                ? at.step() == step
                : moment instanceof After after
                        && System.nanoTime() - firstStepAt >= after.delay().toNanos();
    }

    /** The injector knows a process by the number that the job has given it; everybody else knows it by its rank. */
    private FaultInjector injector(int number) {
        List<Fault> addressed = own.stream()
                .map(fault -> new Fault(fault.kind(), number, fault.moment()))
                .toList();
        return new FaultInjector(
                addressed, fault -> announce.accept(new DemoFault.OfRank(own.get(addressed.indexOf(fault)))));
    }
}
