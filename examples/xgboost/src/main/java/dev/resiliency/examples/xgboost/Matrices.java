package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.digits.Digits;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoostError;

/** Digits as matrices of XGBoost. */
final class Matrices {
    private Matrices() {}

    /**
     * Returns the rows of a rank: every {@code size}-th one. As each process can read all rows, those of a rank that is
     * lost are trained by the others as long as it is away.
     */
    static DMatrix part(Digits digits, int rank, int size) throws XGBoostError {
        int rows = (digits.size() - rank + size - 1) / size;
        float[] pixels = new float[rows * Digits.PIXELS];
        float[] labels = new float[rows];
        for (int row = 0; row < rows; row++) {
            int digit = rank + row * size;
            System.arraycopy(digits.pixels(digit), 0, pixels, row * Digits.PIXELS, Digits.PIXELS);
            labels[row] = digits.label(digit);
        }
        DMatrix matrix = new DMatrix(pixels, rows, Digits.PIXELS, Float.NaN);
        matrix.setLabel(labels);
        return matrix;
    }

    /** Returns all rows. */
    static DMatrix all(Digits digits) throws XGBoostError {
        return part(digits, 0, 1);
    }
}
