package dev.resiliency.launcher.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.monitor.spi.RankTimings;
import dev.resiliency.monitor.spi.RankTimings.Bucket;
import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.monitor.spi.StampWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimesKeeperTest {
    private static final long MILLI = 1_000_000L;
    private static final MonitorSettings SETTINGS =
            new MonitorSettings(null, null, Map.of("given", Duration.ofSeconds(7)), null, true, 5, 3, "KILL", 3);

    @TempDir
    private Path directory;

    /** Of a section that took 400 ms each time, but 900 ms once, and 4 s at first. */
    private static RankTimings timings(String section, long count) {
        return new RankTimings(
                section,
                count + 4,
                4000 * MILLI,
                900 * MILLI,
                List.of(new Bucket(400 * MILLI, count), new Bucket(900 * MILLI, 1)));
    }

    private static JobTimes times(String section, long count) {
        JobTimes times = new JobTimes();
        times.add(timings(section, count), Map.of());
        return times;
    }

    private static long count(JobTimes times) {
        return times.summary(new EffectiveLimits(SETTINGS, CalculatedLimits.NONE))
                .get(0)
                .count();
    }

    @Test
    void limitIsTheSlowestTimeThatWasSeenTimesTheFactor() {
        CalculatedLimits limits = times("step", 100).limits(5);

        assertThat(limits.of("step", false)).contains(Duration.ofMillis(4500));
        assertThat(limits.of("step", true)).contains(Duration.ofSeconds(20));
        assertThat(limits.of("other", false)).isEmpty();
    }

    @Test
    void fewTimesGiveNoLimit() {
        assertThat(times("step", 5).limits(5).of("step", false)).isEmpty();
    }

    @Test
    void limitThatIsGivenHoldsBeforeOneThatIsCalculated() {
        EffectiveLimits limits =
                new EffectiveLimits(SETTINGS, times("given", 100).limits(5));

        assertThat(limits.ofSection("given", false)).contains(Duration.ofSeconds(7));
        assertThat(limits.ofHeartbeat(false)).isEmpty();
    }

    @Test
    void timesOfSeveralRanksAreMergedAndKeptAsText() throws Exception {
        JobTimes one = times("step", 100);
        JobTimes other = times("step", 300);
        other.merge(times("evaluation", 20));
        one.merge(other);

        JobTimes read = JobTimes.parse(one.json());

        assertThat(read.json()).isEqualTo(one.json());
        assertThat(read.summary(new EffectiveLimits(SETTINGS, read.limits(5))))
                .extracting(SectionSummary::section, SectionSummary::count)
                .containsExactly(tuple("evaluation", 21L), tuple("step", 402L));
        SectionSummary step =
                read.summary(new EffectiveLimits(SETTINGS, read.limits(5))).get(1);
        assertThat(step.p50()).isBetween(0.39, 0.41);
        assertThat(step.slowest()).isEqualTo(0.9);
        assertThat(step.limit()).isEqualTo(4.5);
        assertThat(step.nearest()).isEqualTo(0.2);
    }

    @Test
    void textThatIsNoneOfTimesIsRefused() throws Exception {
        assertThat(times("step", 100).json()).startsWith("{\"version\":1,\"sections\":{\"step\":{");
        assertThat(JobTimes.parse("{\"later\":{\"version\":2},\"version\":1}").isEmpty())
                .isTrue();
        for (String text : List.of("[]", "7", "{\"version\":2}", "{\"sections\":{\"step\":7}}", "nonsense")) {
            assertThatThrownBy(() -> JobTimes.parse(text))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("these are no times of a job");
        }
    }

    @Test
    void firstTimesKeepTheirLimitWhenTheyAreSharedAndKept() throws Exception {
        JobTimes shared = new JobTimes();
        shared.merge(times("step", 100));

        assertThat(JobTimes.parse(shared.json()).limits(5).of("step", true)).contains(Duration.ofSeconds(20));
        assertThat(shared.copy().limits(5).of("step", true)).contains(Duration.ofSeconds(20));
    }

    @Test
    void copyIsIndependent() {
        JobTimes times = times("step", 100);
        JobTimes copy = times.copy();
        copy.merge(times("step", 100));
        copy.merge(times("other", 100));

        assertThat(count(times)).isEqualTo(101);
        assertThat(times.json()).doesNotContain("other");
    }

    @Test
    void leastLimitIsASecondAndTenTimesAreEnough() {
        JobTimes fast = new JobTimes();
        fast.add(new RankTimings("step", 10, 0, 20 * MILLI, List.of(new Bucket(20 * MILLI, 10))), Map.of());

        assertThat(fast.limits(5).of("step", false)).contains(Duration.ofSeconds(1));
        assertThat(fast.limits(5).of("step", true)).as("no first time was seen").isEmpty();
    }

    @Test
    void firstTimesAreNeverHeldToLessThanTheOthers() {
        JobTimes times = new JobTimes();
        times.add(
                new RankTimings("step", 12, 300 * MILLI, 900 * MILLI, List.of(new Bucket(900 * MILLI, 12))), Map.of());

        assertThat(times.limits(5).of("step", true)).contains(Duration.ofMillis(4500));
    }

    @Test
    void whatIsMeasuredIsSharedOnceAndShownAtOnce() throws Exception {
        Path path = directory.resolve("r0");
        StampFile stamps = StampFile.create(path, 0);
        StampWriter rank = StampWriter.of(path);
        TimesKeeper keeper = TimesKeeper.load(SETTINGS, directory.resolve("job.json"));
        assertThat(keeper.hasNews()).isFalse();

        rank.section("step").close();
        keeper.collect(stamps);
        keeper.collect(stamps);
        assertThat(keeper.hasNews()).isTrue();
        assertThat(counts(keeper)).containsExactly("step 1");

        keeper.beginSharing();
        assertThat(keeper.hasNews()).isFalse();
        assertThat(counts(keeper)).containsExactly("step 1");
        rank.section("step").close();
        keeper.collect(stamps);
        assertThat(keeper.hasNews()).as("the last result is awaited").isFalse();
        assertThat(count(JobTimes.parse(keeper.merge("")))).isOne();
        assertThat(counts(keeper)).containsExactly("step 2");

        keeper.shared(keeper.merge(times("step", 100).json()));
        assertThat(keeper.hasNews()).isTrue();
        assertThat(counts(keeper)).containsExactly("step 103");
        assertThat(counts(TimesKeeper.load(SETTINGS, directory.resolve("job.json"))))
                .containsExactly("step 103");
    }

    @Test
    void rankThatStartsAgainInTheSameFileIsCountedAnew() throws Exception {
        StampFile stamps = StampFile.create(directory.resolve("r0"), 0);
        StampWriter.of(stamps.path()).section("step").close();
        TimesKeeper keeper = TimesKeeper.load(SETTINGS, directory.resolve("job.json"));
        keeper.collect(stamps);

        keeper.forget(stamps);
        keeper.collect(stamps);

        assertThat(counts(keeper)).containsExactly("step 2");
    }

    @Test
    void whatNobodyCanReadIsReplacedByWhatThisNodeHasKept() throws Exception {
        Path file = directory.resolve("job.json");
        TimesKeeper.load(SETTINGS, file).shared(times("step", 100).json());

        assertThat(count(JobTimes.parse(TimesKeeper.load(SETTINGS, file).merge("nonsense"))))
                .isEqualTo(101);
    }

    @Test
    void nothingIsKeptBeforeSomethingWasMeasured() throws Exception {
        Path file = directory.resolve("job.json");
        TimesKeeper.load(SETTINGS, file).save();

        assertThat(file).doesNotExist();
    }

    private static List<String> counts(TimesKeeper keeper) {
        return keeper.summary().stream()
                .map(each -> each.section() + " " + each.count())
                .toList();
    }

    @Test
    void rankThatIsAskedAgainAddsOnlyWhatIsNew() {
        JobTimes times = times("step", 100);
        times.add(timings("step", 150), Map.of(400 * MILLI, 100L, 900 * MILLI, 1L));

        assertThat(count(times)).isEqualTo(151);
    }

    @Test
    void twoNodesThatShareAtOnceLoseNothing() throws Exception {
        TimesKeeper one = TimesKeeper.load(SETTINGS, directory.resolve("one.json"));
        String shared = "";
        for (int node = 0; node < 3; node++) {
            JobTimes merged = shared.isEmpty() ? new JobTimes() : JobTimes.parse(shared);
            merged.merge(times("step", 100));
            shared = merged.json();
        }
        one.beginSharing();
        one.shared(one.merge(shared));

        assertThat(one.summary())
                .singleElement()
                .satisfies(step -> assertThat(step.count()).isEqualTo(303));
        assertThat(one.limits().of("step", false)).contains(Duration.ofMillis(4500));
    }

    @Test
    void timesAreLoadedByTheNextRunAndNotCountedTwice() throws Exception {
        Path file = directory.resolve("times.json");
        TimesKeeper first = TimesKeeper.load(SETTINGS, file);
        first.shared(times("step", 100).json());

        TimesKeeper second = TimesKeeper.load(SETTINGS, file);
        assertThat(second.limits().of("step", false)).contains(Duration.ofMillis(4500));
        assertThat(second.hasNews()).isTrue();
        second.beginSharing();
        assertThat(second.hasNews()).isFalse();
        String founded = second.merge("");
        assertThat(count(JobTimes.parse(founded))).isEqualTo(101);
        String alreadyThere = second.merge(founded);
        assertThat(count(JobTimes.parse(alreadyThere))).isEqualTo(101);
    }

    @Test
    void limitsAreCalculatedOnlyIfAskedFor() throws Exception {
        TimesKeeper keeper = TimesKeeper.load(MonitorSettings.DEFAULT, directory.resolve("job.json"));
        keeper.shared(times("step", 100).json());

        assertThat(keeper.limits()).isEqualTo(CalculatedLimits.NONE);
        assertThat(keeper.summary()).hasSize(1);
    }

    @Test
    void fileThatIsSomethingElseIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("job.json"), "{\"version\":2}");

        assertThatThrownBy(() -> TimesKeeper.load(SETTINGS, file)).hasMessageContaining(file.toString());
        Files.writeString(file, "nonsense");
        assertThatThrownBy(() -> TimesKeeper.load(SETTINGS, file)).hasMessageContaining("no times of a job");
        Files.writeString(file, "{\"version\":1,\"sections\":{\"a\":{\"sketch\":\"!\"}}}");
        assertThatThrownBy(() -> TimesKeeper.load(SETTINGS, file)).hasMessageContaining("no sketch");
    }
}
