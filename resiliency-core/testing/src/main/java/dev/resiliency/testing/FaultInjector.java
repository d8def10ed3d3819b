package dev.resiliency.testing;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.testing.Fault.After;
import dev.resiliency.testing.Fault.AtStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Breaks ranks on purpose, to show that a job survives it. Corresponds to nvidia-resiliency-ext's {@code inject_fault}.
 *
 * <pre>{@code
 * FaultInjector injector = new FaultInjector(List.of(Fault.parse("kill:1@600"), Fault.parse("stop-ping:2@1.5s")));
 * wrapper.call(call -> {
 *     for (int step = restore(); step < steps; step++) {
 *         injector.stepStarts(call, step);
 *         train(step);
 *     }
 * });
 * }</pre>
 *
 * <p>Every rank can be given all faults: each ignores those of others. Each fault happens once per injector, so create
 * the injector outside the function. Each fault is logged as a warning just before it happens. Safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public final class FaultInjector {
    /** The exit code of {@link FaultKind#SYSTEM_EXIT}. */
    public static final int EXIT_CODE = 17;

    private static final Logger LOG = LoggerFactory.getLogger(FaultInjector.class);

    private final List<Fault> faults;
    private final Consumer<? super Fault> announce;
    private final long start = System.nanoTime();
    private final Set<Fault> injected = ConcurrentHashMap.newKeySet();

    /** Creates an injector of these faults; delays count from now on. */
    public FaultInjector(List<Fault> faults) {
        this(faults, fault -> {});
    }

    /**
     * Creates an injector of these faults; {@code announce} is called just before each fault, on the thread that it
     * hits.
     */
    public FaultInjector(List<Fault> faults, Consumer<? super Fault> announce) {
        this.faults = List.copyOf(faults);
        this.announce = announce;
    }

    /**
     * Injects the faults that are due on this rank; the function must call this at the beginning of each step. Most
     * faults do not return.
     *
     * @throws IOException if the restart ended a blocked read, or a signal could not be sent
     * @throws InterruptedException if the restart, or {@link FaultKind#ASYNC_EXCEPTION}, ended a hang
     */
    public void stepStarts(CallWrapper call, long step) throws IOException, InterruptedException {
        int rank = call.state().initialRank();
        for (Fault fault : faults) {
            if (fault.rank() == rank && isDue(fault, step) && injected.add(fault)) {
                LOG.warn(
                        "the fault {} is injected into rank {} in iteration {}: {}",
                        fault,
                        rank,
                        call.iteration(),
                        fault.kind().description());
                announce.accept(fault);
                inject(fault, call);
            }
        }
    }

    private boolean isDue(Fault fault, long step) {
        return fault.moment() instanceof AtStep at
                ? at.step() == step
                : fault.moment() instanceof After after
                        && System.nanoTime() - start >= after.delay().toNanos();
    }

    private static void inject(Fault fault, CallWrapper call) throws IOException, InterruptedException {
        switch (fault.kind()) {
            case EXCEPTION -> throw new InjectedException(fault);
            case ERROR -> throw new InjectedError(fault);
            case ASYNC_EXCEPTION -> throwFromOutside(fault);
            case SIGKILL -> die("KILL");
            case SIGTERM -> die("TERM");
            case SIGINT -> die("INT");
            case SIGSTOP -> die("STOP");
            case SIGSEGV -> die("SEGV");
            case ABORT -> die("ABRT");
            case SYSTEM_EXIT -> System.exit(EXIT_CODE);
            case SLEEP_FOREVER -> Hang.sleep();
            case SPIN_FOREVER -> Hang.spin(call);
            case DEADLOCK -> Hang.deadlock();
            case BLOCKED_READ -> Hang.read(call);
            case BLOCKED_NATIVE -> Hang.standInNativeFunction();
            case STOP_PING -> Hang.goOnWithoutPing(call);
            case OUT_OF_MEMORY -> allocateWithoutEnd();
            case KILL_MONITOR -> Signal.send("KILL", MonitorProcesses.ofThisProcess());
            case HOST_LOSS -> fallSilent();
        }
    }

    /** Waits, so that the fault happens in this step. Without JVMTI, only an interrupt can make the thread throw. */
    private static void throwFromOutside(Fault fault) throws InterruptedException {
        Thread thread = Thread.currentThread();
        ThreadStopper stopper = ThreadStopper.find();
        Runnable attack =
                stopper == null ? thread::interrupt : () -> stopper.throwInto(thread, new InjectedException(fault));
        Thread outside = new Thread(attack, "fault-from-outside");
        outside.setDaemon(true);
        CountDownLatch never = new CountDownLatch(1);
        outside.start();
        // From here on no class may be loaded: one that is being loaded when the exception strikes counts as missing
        // for as long as the process lives.
        never.await();
    }

    /**
     * Waits for the signal to take effect. If it does not, for example because it is ignored, the soft timeout ends the
     * wait.
     */
    private static void die(String signal) throws IOException, InterruptedException {
        Signal.send(signal, List.of(ProcessHandle.current().pid()));
        new CountDownLatch(1).await();
    }

    /** Allocates until the heap is full, which with a small heap happens at once and affects no other process. */
    private static void allocateWithoutEnd() {
        Object[] all = {};
        while (true) {
            all = new Object[] {all, new long[Integer.MAX_VALUE - 8]};
        }
    }

    /** Suspends the monitor processes first, so that they do not notice that this process is suspended. */
    private static void fallSilent() throws IOException, InterruptedException {
        List<Long> pids = new ArrayList<>(MonitorProcesses.ofThisProcess());
        pids.add(ProcessHandle.current().pid());
        Signal.send("STOP", pids);
        new CountDownLatch(1).await();
    }
}
