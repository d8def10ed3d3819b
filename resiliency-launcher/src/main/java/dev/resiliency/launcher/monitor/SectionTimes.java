package dev.resiliency.launcher.monitor;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.DDSketches;
import com.datadoghq.sketch.ddsketch.encoding.ByteArrayInput;
import com.datadoghq.sketch.ddsketch.encoding.GrowingByteArrayOutput;
import com.datadoghq.sketch.ddsketch.store.CollapsingLowestDenseStore;
import java.io.IOException;
import java.util.Base64;

/**
 * How long sections of one name took, or the times between heartbeats, in seconds: a sketch of their distribution, right to 1 %, and
 * the slowest ones exactly. Not safe for use by several threads.
 */
final class SectionTimes {
    private static final double ACCURACY = 0.01;
    private static final int MOST_BINS = 1024;
    private static final double NANOS = 1e9;

    private final DDSketch sketch;
    /** In nanoseconds; 0 if there was none. */
    private long slowestWarmUp;

    private long slowest;

    SectionTimes() {
        this(DDSketches.collapsingLowestDense(ACCURACY, MOST_BINS), 0, 0);
    }

    private SectionTimes(DDSketch sketch, long slowestWarmUp, long slowest) {
        this.sketch = sketch;
        this.slowestWarmUp = slowestWarmUp;
        this.slowest = slowest;
    }

    /**
     * Reads what {@link #encoded} has written.
     *
     * @throws IOException if it is invalid
     */
    static SectionTimes decode(String encoded, long slowestWarmUp, long slowest) throws IOException {
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            return new SectionTimes(
                    DDSketch.decode(ByteArrayInput.wrap(bytes), () -> new CollapsingLowestDenseStore(MOST_BINS)),
                    slowestWarmUp,
                    slowest);
        } catch (RuntimeException e) {
            throw new IOException("this is no sketch of times", e);
        }
    }

    /** Returns the sketch as a word. */
    String encoded() {
        GrowingByteArrayOutput output = GrowingByteArrayOutput.withDefaultInitialCapacity();
        try {
            sketch.encode(output, false);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return Base64.getEncoder().encodeToString(output.trimmedCopy());
    }

    SectionTimes copy() {
        return new SectionTimes(sketch.copy(), slowestWarmUp, slowest);
    }

    void add(long nanos, long count) {
        sketch.accept(nanos / NANOS, (double) count);
    }

    void slowest(long warmUp, long steady) {
        slowestWarmUp = Math.max(slowestWarmUp, warmUp);
        slowest = Math.max(slowest, steady);
    }

    void merge(SectionTimes other) {
        if (!other.sketch.isEmpty()) {
            sketch.mergeWith(other.sketch);
        }
        slowest(other.slowestWarmUp, other.slowest);
    }

    long slowestWarmUp() {
        return slowestWarmUp;
    }

    long slowest() {
        return slowest;
    }

    /** Returns how many times there were, without the warm-up. */
    long count() {
        return Math.round(sketch.getCount());
    }

    /** Returns a quantile in seconds; 0 if there are no times. */
    double quantile(double quantile) {
        return sketch.isEmpty() ? 0 : sketch.getValueAtQuantile(quantile);
    }
}
