package dev.resiliency.monitor.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.monitor.RankMonitorClient.Section;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.RankStamps.Beginning;
import dev.resiliency.monitor.spi.RankStamps.Control;
import dev.resiliency.monitor.spi.RankStamps.OpenSection;
import dev.resiliency.store.IndexSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StampFileTest {
    private static final long NOBODY = Integer.MAX_VALUE;
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private final AtomicLong clock = new AtomicLong(SECOND);
    private StampFile file;
    private StampWriter writer;

    @BeforeEach
    void open() throws IOException {
        file = StampFile.create(directory.resolve("r0"), 1);
        writer = StampWriter.open(file.path().toString(), NOBODY, clock::get);
    }

    @Test
    void whatAProcessLeavesBesideItsFileIsDeletedWithIt() throws Exception {
        Files.createFile(directory.resolve("r0.control"));
        Files.createFile(directory.resolve("r0.resiliency-heartbeat-r0-1.bin"));
        Path another = Files.createFile(directory.resolve("r01.resiliency-heartbeat-r1-1.bin"));

        file.delete();

        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(another);
        }
    }

    /** Memory that is mapped from it would end the process with SIGBUS, or throw anywhere. */
    @Test
    void agentThatReadsAFileThatItsRankHasTruncatedGoesOn() throws Exception {
        writer.ping(7);
        assertThat(file.read().step()).hasValue(7);
        assertThat(file.isWhole()).isTrue();
        Files.write(file.path(), new byte[100]);

        for (int i = 0; i < 20_000; i++) { // compiled, too
            assertThat(file.read().step()).hasValue(7);
        }
        file.tell(new WorldEvent.Pausing(1, 1, Instant.EPOCH));
        assertThat(file.isWhole()).isFalse();
        assertThat(file.timings()).isEmpty();
        file.delete();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void rankWhoseFileIsTruncatedGoesOn() throws Exception {
        for (int step = 0; step < 100_000; step++) { // compiled, too
            if (step == 50_000) {
                Files.write(file.path(), new byte[100]);
            }
            try (Section section = writer.section("step")) {
                assertThat(section).isNotNull();
                writer.ping(step);
                writer.enter(step, 1, OptionalInt.of(0));
            }
            assertThat(writer.nextEvent()).isEmpty();
        }
        writer.rest();
        writer.request(WorkloadAction.SHUTDOWN_WORKLOAD, "done");

        assertThat(file.isWhole()).isFalse();
    }

    @Test
    void interruptedThreadStampsAsOthersDo() {
        Thread.currentThread().interrupt();

        writer.ping(7);

        assertThat(Thread.interrupted()).isTrue();
        writer.ping(8);
        assertThat(file.read().step()).hasValue(8);
    }

    @Test
    void agentSeesNothingOfARankThatHasNotOpenedTheFile() throws Exception {
        StampFile other = StampFile.create(directory.resolve("r1"), 3);

        assertThat(other.read())
                .isEqualTo(new RankStamps(
                        0,
                        0,
                        0,
                        true,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        0,
                        List.of(),
                        Control.NONE,
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        JobPart.NONE,
                        MemoryUse.NONE,
                        0));
        assertThat(other.timings()).isEmpty();
    }

    @Test
    void memoryIsSeenUntilTheNextProcessTakesTheFile() {
        writer.note(new MemoryUse(98, 12, 61, false));
        assertThat(file.read().memory()).isEqualTo(new MemoryUse(98, 12, 61, false));

        StampWriter.open(file.path().toString(), NOBODY - 1, clock::get);
        assertThat(file.read().memory()).isEqualTo(MemoryUse.NONE);
    }

    @Test
    void partInTheJobIsSeenUntilTheNextProcessTakesTheFile() {
        writer.take(JobPart.LEFT);
        assertThat(file.read().part()).isEqualTo(JobPart.LEFT);

        StampWriter.open(file.path().toString(), NOBODY - 1, clock::get);
        assertThat(file.read().part()).isEqualTo(JobPart.NONE);
    }

    @Test
    void heartbeatsAndStepsAreSeen() {
        writer.ping(7);
        clock.addAndGet(SECOND);
        writer.ping(5);

        RankStamps stamps = file.read();
        assertThat(stamps.pid()).isEqualTo(NOBODY);
        assertThat(stamps.opened()).isEqualTo(SECOND);
        assertThat(stamps.heartbeat()).isEqualTo(2 * SECOND);
        assertThat(stamps.step()).hasValue(7);
        assertThat(stamps.hasBegun()).isTrue();
    }

    private static Beginning beginning(int iteration, long before, long first) {
        return new Beginning(iteration, step(before), first);
    }

    private static OptionalLong step(long step) {
        return step < 0 ? OptionalLong.empty() : OptionalLong.of(step);
    }

    @Test
    void stepsOfAProcessWithoutAWrapperBeginWithItsFirstPing() {
        assertThat(file.read().beginnings()).isEmpty();

        writer.ping(7);
        writer.ping(9);
        assertThat(file.read().beginnings()).containsExactly(beginning(-1, -1, 7));
        assertThat(file.read().latest()).hasValue(9);

        StampWriter.open(file.path().toString(), NOBODY - 1, clock::get);
        assertThat(file.read().beginnings()).isEmpty();
        assertThat(file.read().latest()).isEmpty();
    }

    @Test
    void iterationKnowsWhereTheOneBeforeHasEnded() {
        writer.enter(0, 1, OptionalInt.of(0));
        writer.passed(12); // some time after the first one
        assertThat(file.read().beginnings()).isEmpty();
        writer.began(0, 0, -1);
        writer.passed(1195);
        assertThat(file.read().beginnings()).containsExactly(beginning(0, -1, 0));

        writer.enter(1, 1, OptionalInt.of(0));
        assertThat(file.read().beginnings()).containsExactly(beginning(0, -1, 0));
        writer.began(1, 1186, 1200);
        writer.passed(1188);
        assertThat(file.read().beginnings()).containsExactly(beginning(0, -1, 0), beginning(1, 1200, 1186));
        assertThat(file.read().latest()).hasValue(1188);
        assertThat(file.read().step()).as("the highest").hasValue(1195);
    }

    @Test
    void iterationThatWasTooShortToSayWhereItHasBegunIsNotForgotten() {
        writer.enter(0, 1, OptionalInt.of(0));
        writer.began(0, 0, -1);
        writer.passed(1200);
        writer.enter(1, 1, OptionalInt.of(0));
        writer.enter(2, 1, OptionalInt.of(0));
        writer.began(1, 1186, 1200);
        writer.began(2, 1180, 1188);

        assertThat(file.read().beginnings())
                .containsExactly(beginning(0, -1, 0), beginning(1, 1200, 1186), beginning(2, 1188, 1180));
    }

    @Test
    void lastEightBeginningsAreKept() {
        for (int iteration = 0; iteration < 20; iteration++) {
            writer.enter(iteration, 1, OptionalInt.of(0));
            if (iteration != 15) {
                writer.began(iteration, 10L * iteration, -1);
            }
        }

        assertThat(file.read().beginnings())
                .extracting(Beginning::iteration)
                .containsExactly(12, 13, 14, 16, 17, 18, 19);
    }

    @Test
    void reserveDoesNotKnowWhereTheOthersWere() {
        writer.enter(0, 1, OptionalInt.of(0));
        writer.ping(7);
        writer.enter(1, 1, OptionalInt.empty());
        writer.enter(2, 1, OptionalInt.of(0));
        writer.ping(90);

        assertThat(file.read().beginnings()).containsExactly(beginning(0, -1, 7), beginning(2, -1, 90));
    }

    @Test
    @SuppressWarnings("try")
    void nestedAndOverlappingSectionsAreOpenEachWithItsBegin() {
        Section outer = writer.section("outer");
        clock.addAndGet(SECOND);
        Section first = writer.section("inner");
        clock.addAndGet(SECOND);
        Section second = writer.section("inner");
        first.close();

        assertThat(file.read().openSections())
                .containsExactly(new OpenSection("outer", SECOND, true), new OpenSection("inner", 3 * SECOND, false));

        outer.close();
        second.close();
        second.close();
        assertThat(file.read().openSections()).isEmpty();
        assertThat(file.read().sectionUse()).isEqualTo(3 * SECOND);
    }

    @Test
    void firstTimesAreKeptApart() {
        for (long seconds : new long[] {40, 2, 4, 2}) {
            Section section = writer.section("step");
            clock.addAndGet(seconds * SECOND);
            section.close();
        }

        assertThat(file.timings()).singleElement().satisfies(timings -> {
            assertThat(timings.section()).isEqualTo("step");
            assertThat(timings.count()).isEqualTo(4);
            assertThat(timings.slowestWarmUp()).isEqualTo(40 * SECOND);
            assertThat(timings.slowest()).isEqualTo(4 * SECOND);
            assertThat(timings.counts()).hasSize(2).allSatisfy(bucket -> {
                double seconds = bucket.count() == 2 ? 2 : 4;
                assertThat(bucket.nanos() / 1e9 / seconds).isBetween(0.94, 1.0 + 1.0 / 15);
            });
        });
    }

    @Test
    void timesBetweenHeartbeatsAreCountedUnlessTheRankRests() {
        writer.heartbeat();
        clock.addAndGet(SECOND);
        writer.heartbeat();
        clock.addAndGet(100 * SECOND);
        writer.rest();
        clock.addAndGet(2 * SECOND);
        writer.heartbeat();

        assertThat(file.timings()).singleElement().satisfies(timings -> {
            assertThat(timings.section()).isEmpty();
            assertThat(timings.count()).isEqualTo(2);
            assertThat(timings.slowestWarmUp()).isEqualTo(SECOND);
            assertThat(timings.slowest()).isEqualTo(2 * SECOND);
        });
    }

    @Test
    void endOfAllSectionsIsNotUndoneByThoseThatCloseLater() {
        Section stale = writer.section("stale");
        writer.endAllSections();
        assertThat(file.read().openSections()).isEmpty();
        assertThat(file.timings()).isEmpty();

        List<Section> fresh = new ArrayList<>();
        for (int i = 0; i < StampLayout.SLOTS; i++) {
            fresh.add(writer.section("fresh"));
        }
        stale.close();

        assertThat(file.read().openSections()).hasSize(StampLayout.SLOTS);
        fresh.forEach(Section::close);
    }

    @Test
    void sectionsThatAreTooManyAreCountedAndNotWatched() {
        for (int i = 0; i < StampLayout.SLOTS + 3; i++) {
            writer.section("s");
        }

        assertThat(file.read().openSections()).hasSize(StampLayout.SLOTS);
        assertThat(file.read().dropped()).isEqualTo(3);
    }

    @Test
    void namesThatAreTooManyShareOne() {
        for (int i = 0; i < 70; i++) {
            writer.section("name " + i).close();
        }
        writer.section("name 3").close();

        assertThat(file.timings())
                .hasSize(63)
                .anySatisfy(timings -> assertThat(timings.section()).isEqualTo("further sections"))
                .anySatisfy(timings -> {
                    assertThat(timings.section()).isEqualTo("name 3");
                    assertThat(timings.count()).isEqualTo(2);
                });
    }

    @Test
    void longNameIsShortenedAtTheEndOfACharacter() {
        Section section = writer.section("ä".repeat(100));

        assertThat(file.read().openSections())
                .singleElement()
                .satisfies(open -> assertThat(open.name()).isEqualTo("ä".repeat(28)));
        section.close();
    }

    @Test
    void requestIsSeenAndAnnounced() {
        writer.request(WorkloadAction.EXCLUDE_THIS_NODE, "ECC errors");

        assertThat(file.read().control()).isEqualTo(new Control(WorkloadAction.EXCLUDE_THIS_NODE, "ECC errors"));
        assertThat(directory.resolve("r0.control")).exists();
    }

    @Test
    void fileOutlivesItsAgent() throws Exception {
        writer.ping(3);

        StampFile next = StampFile.open(file.path());
        assertThat(next.read().step()).hasValue(3);

        writer.ping(4);
        assertThat(next.read().step()).hasValue(4);
    }

    @Test
    void worldEventsAreReadOnceAndInOrder() {
        Instant time = Instant.ofEpochMilli(1_767_795_000_123L);
        WorldEvent started = new WorldEvent.Started(0, 4, time);
        WorldEvent shrunk =
                new WorldEvent.ScaledDown(1, 4, 2, IndexSet.range(2, 4), IndexSet.empty(), time.plusMillis(1));
        WorldEvent grown = new WorldEvent.ScaledUp(2, 2, 3, IndexSet.empty(), IndexSet.of(2), time.plusSeconds(1));
        file.tell(started);
        file.tell(shrunk);
        file.tell(grown);

        assertThat(writer.nextEvent()).contains(started);
        assertThat(writer.nextEvent()).contains(shrunk);
        assertThat(writer.nextEvent()).contains(grown);
        assertThat(writer.nextEvent()).isEmpty();
    }

    @Test
    void ofManyEventsTheLastEightAreRead() {
        for (int i = 0; i < 20; i++) {
            file.tell(new WorldEvent.Pausing(i, 2));
        }

        assertThat(writer.nextEvent()).map(WorldEvent::iteration).contains(12);
    }

    @Test
    void childOfARankDoesNotStampInItsPlace() {
        StampFile own = file;
        StampWriter parent =
                StampWriter.open(newFile("r1"), ProcessHandle.current().pid(), clock::get);
        StampWriter child = StampWriter.open(directory.resolve("r1").toString(), NOBODY, clock::get);

        assertThat(parent.isWatched()).isTrue();
        assertThat(child.isWatched()).isFalse();
        child.ping(3);
        assertThat(own.read().step()).isEmpty();
    }

    @Test
    void processThatReplacesADeadOneGoesOnWithItsFile() {
        writer.ping(9);
        Section left = writer.section("left open");
        assertThat(left).isNotNull();

        StampWriter next = StampWriter.open(file.path().toString(), NOBODY - 1, clock::get);

        assertThat(next.isWatched()).isTrue();
        assertThat(file.read().openSections()).isEmpty();
        assertThat(file.read().heartbeat()).isZero();
        assertThat(file.read().step()).hasValue(9);
        next.section("left open").close();
        assertThat(file.timings()).hasSize(1);
    }

    @Test
    void wrapperStampsItsIterationAndItsRanks() {
        writer.join(70_000);
        assertThat(file.read().initialRank()).hasValue(70_000);
        assertThat(file.read().activeRank()).isEmpty();

        writer.enter(3, 70_000, OptionalInt.of(0));
        assertThat(file.read().iteration()).hasValue(3);
        assertThat(file.read().initialRank()).hasValue(70_000);
        assertThat(file.read().activeRank()).hasValue(0);

        writer.enter(4, 0, OptionalInt.empty());
        assertThat(file.read().iteration()).hasValue(4);
        assertThat(file.read().initialRank()).hasValue(0);
        assertThat(file.read().activeRank()).isEmpty();
    }

    @Test
    void withoutAnAgentEveryCallDoesNothing() {
        StampWriter unwatched = StampWriter.open(null, 1, clock::get);

        unwatched.ping(3);
        unwatched.section("s").close();
        unwatched.endAllSections();
        unwatched.request(WorkloadAction.SHUTDOWN_WORKLOAD, "no");
        unwatched.join(1);
        unwatched.enter(1, 1, OptionalInt.of(1));
        unwatched.rest();

        assertThat(unwatched.isWatched()).isFalse();
        assertThat(unwatched.nextEvent()).isEqualTo(Optional.empty());
    }

    @Test
    void fileThatCannotBeUsedDoesNotFailTheRank() throws Exception {
        Path strange = Files.write(directory.resolve("strange"), new byte[StampLayout.SIZE]);

        assertThat(StampWriter.open(strange.toString(), 1, clock::get).isWatched())
                .isFalse();
        assertThat(StampWriter.open("/nowhere/r0", 1, clock::get).isWatched()).isFalse();
        assertThatThrownBy(() -> StampFile.open(strange)).hasMessageContaining("no stamp file of this release");
    }

    @Test
    void bucketsSayDurationsToSixPercent() {
        for (long nanos = 1024; nanos < 150_000_000_000_000L; nanos = nanos * 21 / 20 + 1) {
            assertThat((double) Buckets.middle(Buckets.of(nanos)) / nanos).isBetween(0.93, 1.07);
        }
        assertThat(Buckets.of(0)).isZero();
        assertThat(Buckets.of(Long.MAX_VALUE)).isEqualTo(Buckets.COUNT - 1);
    }

    private String newFile(String name) {
        try {
            return StampFile.create(directory.resolve(name), 1).path().toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stepOfLiveStateIsSeenWithTheNextHeartbeat() {
        writer.reached(41);
        assertThat(file.read().reached()).isEmpty();
        writer.heartbeat();
        assertThat(file.read().reached()).hasValue(41);
        assertThat(file.read().step()).as("that it has pinged").isEmpty();

        writer.reached(7); // of a checkpoint
        writer.heartbeat();
        assertThat(file.read().reached()).hasValue(7);
    }

    private static RestartReport restart(int interrupted, String message) {
        Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
        phases.put(Phase.LAST_CALL, Duration.ofNanos(interrupted));
        phases.put(Phase.BARRIER, Duration.ZERO);
        return new RestartReport(
                interrupted,
                List.of(new Interruption(2, Interruption.Kind.EXCEPTION, null, message)),
                phases,
                RestartReport.StoppedBy.ITSELF,
                SECOND,
                Duration.ofMillis(14),
                new State(2, 4, 2, 4, State.Mode.ACTIVE, 2, 4, interrupted + 1),
                IndexSet.empty());
    }

    @Test
    void agentReadsTheLastRestartsWithTheirPhasesAndCauses() {
        writer.restarted(restart(0, "no route"));

        assertThat(file.restartsAfter(0))
                .containsExactly(new RankRestart(
                        1,
                        SECOND,
                        Duration.ofMillis(14),
                        Map.of(Phase.LAST_CALL, Duration.ZERO, Phase.BARRIER, Duration.ZERO),
                        "EXCEPTION on rank 2 (no route)"));
        assertThat(file.restartsAfter(1)).isEmpty();
        for (int interrupted = 1; interrupted < 20; interrupted++) {
            writer.restarted(restart(interrupted, "漢".repeat(1000)));
        }
        assertThat(file.restartsAfter(0))
                .extracting(RankRestart::iteration)
                .containsExactly(13, 14, 15, 16, 17, 18, 19, 20);
        assertThat(file.restartsAfter(19).get(0).phases())
                .containsEntry(Phase.LAST_CALL, Duration.ofNanos(19))
                .doesNotContainKey(Phase.ABORT);
        String cause = file.restartsAfter(19).get(0).cause();
        assertThat(cause)
                .startsWith("EXCEPTION on rank 2 (漢漢漢")
                .hasSizeLessThan(120)
                .doesNotContain("\ufffd");
    }

    @Test
    void restartsAreThoseOfTheProcessThatHasTheFile() {
        writer.restarted(restart(3, ""));

        StampWriter.open(file.path().toString(), NOBODY - 1, clock::get);

        assertThat(file.restartsAfter(0)).isEmpty();
    }
}
