package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two keys of one name would mix what they hold. */
class JobKeysTest {
    private static List<String> ofGeneration(JobKeys keys) {
        return List.of(
                keys.job(),
                keys.run(),
                keys.terminated(),
                keys.termination(),
                keys.host(),
                keys.ids(),
                keys.joined(),
                keys.leaving(),
                keys.latest(),
                keys.latestSuccessors(),
                keys.ceded(),
                keys.promised(),
                keys.broken(),
                keys.stopped(JobKeys.BEFORE_FIRST));
    }

    private static List<String> ofRank(JobKeys keys, int rank) {
        return List.of(keys.claim(rank), keys.groupKeys(rank), keys.admitted(rank), keys.seat(rank));
    }

    private static List<String> ofIteration(JobKeys keys, int k) {
        return List.of(
                keys.outcome(k),
                keys.records(k),
                keys.completed(k),
                keys.safePoint(k),
                keys.safe(k),
                keys.begun(k),
                keys.beginning(k),
                keys.paused(k),
                keys.resumed(k),
                keys.stalled(k),
                keys.successors(k),
                keys.entered(k),
                keys.acknowledged(k),
                keys.stopped(k),
                keys.decision(k),
                keys.waiting(k),
                keys.world(k),
                keys.members(k),
                keys.active(k),
                keys.state(k),
                keys.user(k));
    }

    private static List<String> all(int generation) {
        JobKeys keys = new JobKeys(new Generation(generation, 0, 0));
        List<String> all = new ArrayList<>(ofGeneration(keys));
        Stream.of(0, 1, 11).map(rank -> ofRank(keys, rank)).forEach(all::addAll);
        Stream.of(0, 1, 11).map(k -> ofIteration(keys, k)).forEach(all::addAll);
        return all;
    }

    @Test
    void eachKeyHasANameOfItsOwn() {
        List<String> all = new ArrayList<>(List.of(JobKeys.GENERATION, JobKeys.FINISHED, JobKeys.MOVED));
        Stream.of(0, 1, 11).map(JobKeysTest::all).forEach(all::addAll);

        assertThat(all).doesNotHaveDuplicates();
    }

    /** So that all of them can be deleted at once, and no other. */
    @Test
    void prefixIsThatOfTheGenerationOrTheIterationOnly() {
        JobKeys keys = new JobKeys(new Generation(1, 0, 0));

        assertThat(all(1)).allMatch(key -> key.startsWith(JobKeys.prefixOf(1)));
        assertThat(all(11)).noneMatch(key -> key.startsWith(JobKeys.prefixOf(1)));
        assertThat(ofIteration(keys, 1)).allMatch(key -> key.startsWith(keys.prefix(1)));
        assertThat(Stream.of(ofIteration(keys, 11), ofRank(keys, 1), ofGeneration(keys))
                        .flatMap(List::stream))
                .noneMatch(key -> key.startsWith(keys.prefix(1)));
    }
}
