package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Wrapper;
import java.time.Duration;

/** A wrapped job that needs its rank 1, which never comes to it, and waits for it for a moment. */
final class LonelyProgram {
    private LonelyProgram() {}

    public static void main(String[] arguments) throws Exception {
        if ("1".equals(System.getenv("RANK"))) {
            Thread.sleep(Duration.ofMinutes(10).toMillis());
        }
        Wrapper.builder()
                .warmUp(false)
                .elasticity(Elasticity.defaults().minRanks(2).rendezvousTimeout(Duration.ofSeconds(1)))
                .build()
                .call(call -> null);
    }
}
