package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.testing.FaultKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs one short job, in which every disturbance happens. */
@Tag("full")
class ChaosJobIT {
    /** The first batches of this seed contain an outage alone, one beside a fault, and each kind of stray. */
    private static final long SEED = 52;

    private static final int BATCHES = 7;

    @TempDir
    private Path directory;

    @Test
    void nothingThatHappensAroundAJobRestartsIt() throws Exception {
        ChaosPlan plan =
                new ChaosPlan(SEED, 1, EnumSet.of(FaultKind.EXCEPTION), EnumSet.allOf(Disturbance.class), false);
        JobSettings drawn = plan.settings(1, 3);
        JobSettings settings = new JobSettings(
                1,
                drawn.ranks(),
                drawn.active(),
                false,
                drawn.patient(),
                drawn.lastCallWait(),
                BATCHES,
                drawn.elasticity());
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ChaosRun run = new ChaosRun(SEED, Duration.ZERO, new PrintStream(output, true, StandardCharsets.UTF_8));
        Tally tally = run.tally();
        ChaosJob job = new EmbeddedJob(settings, plan, directory, run);

        job.run(Long.MAX_VALUE);

        assertThat(job.violations())
                .as(() -> output.toString(StandardCharsets.UTF_8)
                        + String.join("\n", job.timeline().lines()))
                .isEmpty();
        assertThat(tally.disturbances())
                .containsOnlyKeys(
                        Disturbance.OUTAGE,
                        Disturbance.SECOND_JOB,
                        Disturbance.OTHER_WORLD,
                        Disturbance.STARTED_TWICE,
                        Disturbance.NEIGHBOUR);
        assertThat(tally.count(Count.PROCESSES_REFUSED)).isEqualTo(5);
        assertThat(tally.count(Count.OUTAGES_ALONE)).isPositive();
        assertThat(tally.count(Count.OUTAGES_BESIDE_FAULTS)).isPositive();
        assertThat(tally.count(Count.NEIGHBOUR_BYTES)).isPositive();
    }
}
