package dev.resiliency.launcher.log;

import java.time.Duration;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Two threads at a queue with room for one element. */
public class BoundedQueueStress {
    @State
    public static class Queue {
        private final BoundedQueue<Integer> queue = new BoundedQueue<>(1, 1, element -> 1);

        boolean offer() {
            try {
                return queue.offer(List.of(1), Duration.ZERO);
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }

        int take() {
            try {
                return queue.take(Duration.ZERO).size();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
    }

    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "One has the room.")
    @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "The other has it.")
    public static class LastRoom {
        @Actor
        public void one(Queue state, ZZI_Result result) {
            result.r1 = state.offer();
        }

        @Actor
        public void other(Queue state, ZZI_Result result) {
            result.r2 = state.offer();
        }

        @Arbiter
        public void then(Queue state, ZZI_Result result) {
            result.r3 = state.take();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "An element is taken once.")
    public static class Taken {
        @Actor
        public void writer(Queue state) {
            state.offer();
        }

        @Actor
        public void reader(Queue state, II_Result result) {
            result.r1 = state.take();
        }

        @Arbiter
        public void then(Queue state, II_Result result) {
            result.r2 = state.take();
        }
    }

    @JCStressTest
    @Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "What the queue has accepted can be taken.")
    @Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "It was closed before.")
    public static class Closed {
        @Actor
        public void writer(Queue state, ZI_Result result) {
            result.r1 = state.offer();
        }

        @Actor
        public void closer(Queue state) {
            state.queue.close();
        }

        @Arbiter
        public void then(Queue state, ZI_Result result) {
            result.r2 = state.take();
        }
    }
}
