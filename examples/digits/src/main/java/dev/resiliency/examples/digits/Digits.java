package dev.resiliency.examples.digits;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** A set of labelled handwritten digits. {@code ATTRIBUTION.md} beside the data names their source. */
public final class Digits {

    /** Number of pixels of a digit: 8 rows of 8. */
    public static final int PIXELS = 64;

    /** Number of classes. */
    public static final int CLASSES = 10;

    private static final float BRIGHTEST = 16;
    private static final int HELD_OUT_EVERY = 5;

    private final List<float[]> pixels = new ArrayList<>();
    private final List<Integer> labels = new ArrayList<>();

    private Digits() {}

    /** The digits to train on, and those to evaluate on. */
    public record Split(Digits training, Digits heldOut) {}

    /** Reads the 1,797 digits of the resource; every fifth is held out. */
    public static Split load() throws IOException {
        Split split = new Split(new Digits(), new Digits());
        try (BufferedReader lines = open()) {
            int count = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                (count % HELD_OUT_EVERY == 0 ? split.heldOut : split.training).add(line);
                count++;
            }
        }
        return split;
    }

    private static BufferedReader open() throws IOException {
        InputStream resource =
                Objects.requireNonNull(Digits.class.getResourceAsStream("digits.csv.gz"), "digits.csv.gz");
        return new BufferedReader(new InputStreamReader(new GZIPInputStream(resource), US_ASCII));
    }

    /** Adds what is on a line: 64 brightnesses from 0 to 16, and the label. */
    private void add(String line) {
        String[] fields = line.split(",", -1);
        float[] brightness = new float[PIXELS];
        for (int i = 0; i < PIXELS; i++) {
            brightness[i] = Integer.parseInt(fields[i]) / BRIGHTEST;
        }
        pixels.add(brightness);
        labels.add(Integer.valueOf(fields[PIXELS]));
    }

    /** Returns the number of digits. */
    public int size() {
        return labels.size();
    }

    /** Returns the brightness of each pixel of a digit, row by row, from 0 to 1. Must not be modified. */
    public float[] pixels(int index) {
        return pixels.get(index);
    }

    /** Returns which digit it is, from 0 to 9. */
    public int label(int index) {
        return labels.get(index);
    }
}
