package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.FakeCallWrapper;
import dev.resiliency.testing.InjectedException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RankFaultsTest {
    private final ConcurrentLinkedQueue<String> announced = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    @Test
    void processInjectsTheFaultsOfItsRankWhateverItsNumber() {
        RankFaults faults = faults(2, "exception:1@5", "exception:2@5", "exception:2@7");
        CallWrapper call = call(8);

        assertThatCode(() -> faults.stepStarts(call, 4)).doesNotThrowAnyException();
        assertThatThrownBy(() -> faults.stepStarts(call, 5)).isInstanceOf(InjectedException.class);
        assertThatCode(() -> faults.stepStarts(call, 5)).doesNotThrowAnyException();
        assertThatThrownBy(() -> faults.stepStarts(call, 7)).isInstanceOf(InjectedException.class);

        assertThat(announced).containsExactly("exception:2@5", "exception:2@7");
    }

    @Test
    void faultThatHasHappenedIsNotRepeatedByTheNextProcess() {
        assertThatThrownBy(() -> faults(2, "exception:2@5").stepStarts(call(2), 5))
                .isInstanceOf(InjectedException.class);

        assertThatCode(() -> faults(2, "exception:2@5").stepStarts(call(8), 5)).doesNotThrowAnyException();
    }

    @Test
    void delaysCountFromTheFirstStep() {
        RankFaults faults = faults(0, "exception:0@0s");

        assertThatThrownBy(() -> faults.stepStarts(call(0), 1)).isInstanceOf(InjectedException.class);
    }

    @Test
    void faultOfAllIsAnnouncedAndThenWaitsToBeKilled() throws Exception {
        CountDownLatch due = new CountDownLatch(1);
        RankFaults faults = new RankFaults(1, List.of(TrainingFault.parse("kill:all@5")), directory, fault -> {
            announced.add(fault.toString());
            due.countDown();
        });
        faults.stepStarts(call(1), 4);
        ExecutorService trainer = Executors.newSingleThreadExecutor();
        try {
            Future<Void> step = trainer.submit(() -> {
                faults.stepStarts(call(1), 5);
                return null;
            });
            assertThat(due.await(30, TimeUnit.SECONDS)).isTrue();

            assertThat(step).isNotDone();
            assertThat(announced).containsExactly("kill:all@5");
        } finally {
            trainer.shutdownNow();
        }
        assertThat(trainer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private RankFaults faults(int rank, String... texts) {
        return new RankFaults(
                rank,
                Stream.of(texts).map(TrainingFault::parse).toList(),
                directory,
                fault -> announced.add(fault.toString()));
    }

    private static CallWrapper call(int number) {
        return new FakeCallWrapper(new State(number, 4, 3, 4, State.Mode.ACTIVE, 3, 4, 2), InMemoryStore.create());
    }
}
