package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.watch.Supervision.Watched;
import dev.resiliency.inprocess.internal.worker.Worker;
import dev.resiliency.inprocess.internal.worker.Worker.Ending;
import org.junit.jupiter.api.Test;

class HookRunTest {
    private final Supervision supervision = new Supervision(new Waker());

    @Test
    void hookIsWatchedAndMayBeInterrupted() {
        Worker<String> worker = mock();
        when(worker.thread()).thenReturn(Thread.currentThread());

        HookRun<String> run = new HookRun<>(supervision, worker);

        assertThat(supervision.watched()).isEqualTo(new Watched(Thread.currentThread(), null));
        assertThat(run.ending()).isNull();
        run.interrupt();
        verify(worker).interrupt();
        Ending<String> ending = new Ending<>("done", null);
        when(worker.ending()).thenReturn(ending);
        assertThat(run.ending()).isSameAs(ending);
    }

    @Test
    void whereThereIsNoHookNothingIsWatchedAndNothingIsWaitedFor() {
        supervision.begin(Thread.currentThread(), null);

        HookRun<String> run = new HookRun<>(supervision, null);
        run.interrupt();

        assertThat(supervision.watched()).isNull();
        assertThat(run.ending()).isEqualTo(new Ending<String>(null, null));
    }
}
