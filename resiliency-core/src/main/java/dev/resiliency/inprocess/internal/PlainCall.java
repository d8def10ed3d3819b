package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Prepare;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.KeptObjects;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The call of a disabled wrapper: once, on the caller's thread, with a store but without any protection. */
public final class PlainCall {
    private PlainCall() {}

    /** Returns what the function returned; what it throws reaches the caller, checked exceptions as a cause. */
    public static <R> @Nullable R run(Settings settings, RestartableFunction<R> function, int call)
            throws InterruptedException {
        Environment environment = settings.environment();
        try (SessionStore store = settings.store().open(environment, call)) {
            SessionStore jobStore = new PrefixStore(Job.prefix(environment, call), store);
            Membership membership = new Membership(jobStore, settings);
            KeptObjects kept = new KeptObjects();
            try {
                Identity identity = membership.enroll(false).orElseThrow(() -> complete(environment));
                RestartStore job = new RestartStore(jobStore, identity, List.of());
                int rank = environment.rank();
                int worldSize = environment.worldSize();
                State state = new State(rank, worldSize, rank, worldSize, State.Mode.ACTIVE, rank, worldSize, 0);
                Prepare prepare = settings.hooks().prepare();
                if (prepare != null) {
                    prepare.prepare();
                }
                R result = function.call(new IterationCall(
                        state,
                        new WorldEvent.Started(0, worldSize),
                        job.member().enterUserStore(0),
                        job.member()::isMember,
                        new Waker(),
                        reason -> {},
                        kept));
                membership.end();
                part(job, settings.timings().barrierTimeout());
                return result;
            } catch (Throwable e) {
                membership.leave(e); // the others must not wait for this rank when they disconnect
                throw e;
            } finally {
                kept.close();
                membership.abandonUnlessOver(store);
            }
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new ResiliencyException("the function failed: " + e, e);
        }
    }

    private static ResiliencyException complete(Environment environment) {
        return new ResiliencyException(
                "the job " + environment.jobId() + " is complete: to run it again, give it another id", null);
    }

    private static void part(RestartStore job, Duration timeout) throws InterruptedException {
        try {
            job.member().part(job.member().founders(), timeout).get();
        } catch (ExecutionException e) {
            throw new ResiliencyException("the other ranks did not complete: " + e.getCause(), e.getCause());
        }
    }
}
