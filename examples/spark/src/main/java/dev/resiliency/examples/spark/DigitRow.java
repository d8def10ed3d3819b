package dev.resiliency.examples.spark;

import dev.resiliency.examples.digits.Digits;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** A digit as a row of an RDD. */
record DigitRow(int label, List<Float> pixels) implements Serializable {

    /** Returns the digits to train with. */
    static List<DigitRow> load() throws IOException {
        Digits digits = Digits.load().training();
        return IntStream.range(0, digits.size())
                .mapToObj(digit -> new DigitRow(digits.label(digit), pixels(digits.pixels(digit))))
                .toList();
    }

    private static List<Float> pixels(float[] pixels) {
        return IntStream.range(0, pixels.length)
                .mapToObj(pixel -> pixels[pixel])
                .toList();
    }

    /** Returns rows as a matrix of XGBoost. */
    static DMatrix matrix(List<DigitRow> rows) throws XGBoostError {
        float[] pixels = new float[rows.size() * Digits.PIXELS];
        float[] labels = new float[rows.size()];
        for (int row = 0; row < labels.length; row++) {
            labels[row] = rows.get(row).label();
            for (int pixel = 0; pixel < Digits.PIXELS; pixel++) {
                pixels[row * Digits.PIXELS + pixel] = rows.get(row).pixels().get(pixel);
            }
        }
        DMatrix matrix = new DMatrix(pixels, labels.length, Digits.PIXELS, Float.NaN);
        matrix.setLabel(labels);
        return matrix;
    }
}
