package dev.resiliency.examples.demo;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Carries out the faults of one rank, each of them once: after a restart, its step is trained as if nothing had been. */
final class FaultInjector {
    private static final Duration LIFE_EXPECTANCY = Duration.ofSeconds(30);

    private final List<Fault> faults;
    private final Consumer<Fault> announce;
    private final Set<Fault> injected = new HashSet<>();

    /** An injector that calls {@code announce} just before each fault. */
    FaultInjector(List<Fault> faults, Consumer<Fault> announce) {
        this.faults = List.copyOf(faults);
        this.announce = announce;
    }

    /** To be called at the beginning of each step. */
    void stepStarts(int step) throws InterruptedException {
        for (Fault fault : faults) {
            if (fault.step() == step && injected.add(fault)) {
                announce.accept(fault);
                switch (fault.kind()) {
                    case EXCEPTION -> throw new InjectedFaultException(fault);
                    case KILL -> awaitDeath(fault);
                }
            }
        }
    }

    /** The demo kills this process when it hears of it. Waiting makes sure that it dies at this step, not later. */
    private static void awaitDeath(Fault fault) throws InterruptedException {
        new CountDownLatch(1).await(LIFE_EXPECTANCY.toMillis(), TimeUnit.MILLISECONDS);
        throw new IllegalStateException(fault + ": nobody has killed this rank");
    }

    /** What an injected exception is. */
    static final class InjectedFaultException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InjectedFaultException(Fault fault) {
            super("injected at step " + fault.step());
        }
    }
}
