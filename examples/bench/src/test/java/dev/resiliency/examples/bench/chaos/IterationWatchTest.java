package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.State.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job of three ranks. */
class IterationWatchTest {
    private final IterationWatch watch = new IterationWatch(3);
    private final Map<Integer, ProcessView> processes = new HashMap<>();

    private List<String> started(
            int process, int rank, int number, Entry entry, int iteration, int generation, int restarts) {
        ProcessView view =
                processes.computeIfAbsent(process, index -> new ProcessView(index, "process", rank, -1, -1, true));
        State state = new State(number, 3, 0, 3, State.Mode.ACTIVE, 0, 3, iteration);
        ChaosEvent.Started event = new ChaosEvent.Started(state.withOrigin(entry, generation, restarts), 0);
        List<String> wrong = watch.started(view, event);
        view.apply(event);
        return wrong;
    }

    private List<String> founds(int rank) {
        return started(rank, rank, rank, Entry.FOUNDED, 0, 0, 0);
    }

    private List<String> survives(int rank, int iteration) {
        return started(rank, rank, rank, Entry.SURVIVED, iteration, 0, iteration);
    }

    @Test
    void lifeOfAJobOfTwoGenerationsIsFine() {
        assertThat(founds(0)).isEmpty();
        assertThat(founds(1)).isEmpty();
        assertThat(survives(0, 1)).isEmpty();
        assertThat(survives(0, 2)).isEmpty();
        assertThat(started(3, 1, 3, Entry.JOINED, 2, 0, 2)).isEmpty();
        assertThat(started(4, 0, 0, Entry.FOUNDED, 100, 1, 3)).isEmpty();
        assertThat(started(5, 2, 2, Entry.FOUNDED, 100, 1, 3)).isEmpty();
        assertThat(started(4, 0, 0, Entry.SURVIVED, 101, 1, 4)).isEmpty();

        assertThat(watch.generations()).isEqualTo(1);
        assertThat(watch.begunAnew()).isEqualTo(1);
        assertThat(watch.foundations()).isZero();
        assertThat(watch.between(1, 101)).containsExactly(1, 2, 100);
        assertThat(watch.between(0, 2)).containsExactly(0, 1);
        assertThat(watch.areOfOneLife(2, 100)).isFalse();
        assertThat(watch.areOfOneLife(100, 101)).isTrue();
    }

    @Test
    void survivorsMayGoOnInALaterGeneration() {
        founds(0);
        founds(1);
        survives(1, 1);

        assertThat(started(1, 1, 1, Entry.SURVIVED, 2, 3, 2)).isEmpty();
        assertThat(started(2, 0, 3, Entry.JOINED, 3, 3, 3)).isEmpty();
        assertThat(started(0, 0, 0, Entry.SURVIVED, 3, 3, 3)).isEmpty(); // it did not learn of iteration 1, nor 2
        assertThat(watch.areOfOneLife(0, 3)).isTrue();
        assertThat(watch.foundations()).isEqualTo(1);
        assertThat(watch.begunAnew()).isZero();
        assertThat(started(1, 1, 1, Entry.SURVIVED, 3, 2, 3)).isNotEmpty();
    }

    @Test
    void whoFollowsItsAgentGoesOnAsAFounderOrJoins() {
        founds(0);
        assertThat(started(1, 1, 5, Entry.JOINED, 1, 0, 1)).isEmpty();

        assertThat(started(1, 1, 1, Entry.SURVIVED, 100, 1, 2)).isEmpty();
        assertThat(started(0, 0, 3, Entry.JOINED, 101, 1, 3)).isEmpty(); // a reserve is no founder
        assertThat(watch.foundations()).isEqualTo(1);
        assertThat(watch.begunAnew()).isZero();
        assertThat(started(2, 2, 4, Entry.SURVIVED, 200, 2, 4)).isNotEmpty();
        assertThat(started(1, 1, 0, Entry.SURVIVED, 200, 2, 4)).isNotEmpty();
    }

    @Test
    void eventsOfOtherProcessesMayComeLate() {
        founds(0);
        survives(0, 1);

        assertThat(founds(1)).isEmpty();
    }

    @Test
    void iterationThatAProcessRepeatsIsNoticed() {
        founds(0);
        survives(0, 1);

        assertThat(survives(0, 1)).contains("number 0 has started iteration 1 after iteration 1");
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 1"})
    void generationOrRestartsThatDoNotGrowWithTheIterationAreNoticed(int generation, int restarts) {
        founds(0);
        survives(0, 1);

        assertThat(started(3, 1, 1, Entry.FOUNDED, 100, generation, restarts))
                .singleElement()
                .asString()
                .startsWith("generations or restarts do not grow");
    }

    @Test
    void founderWithAnotherNumberThanItsRankAndJoinerWithThatOfAFounderAreNoticed() {
        assertThat(started(0, 0, 1, Entry.FOUNDED, 0, 0, 0))
                .singleElement()
                .asString()
                .contains("has founded");
        assertThat(started(1, 1, 2, Entry.JOINED, 0, 0, 0))
                .singleElement()
                .asString()
                .contains("has joined");
    }
}
