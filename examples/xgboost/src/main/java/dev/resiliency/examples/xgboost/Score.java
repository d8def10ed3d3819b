package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.digits.Digits;

/**
 * How good predictions are.
 *
 * @param loss the mean negative logarithm of what was predicted for the right class
 * @param accuracy the share of digits whose most likely class is the right one
 */
record Score(double loss, double accuracy) {
    private static final float LEAST = 1e-7f;

    /** Returns the score of predictions, which have a row of probabilities for each digit. */
    static Score of(float[][] predictions, Digits digits) {
        double loss = 0;
        int right = 0;
        for (int row = 0; row < predictions.length; row++) {
            float[] classes = predictions[row];
            int best = 0;
            for (int each = 1; each < classes.length; each++) {
                best = classes[each] > classes[best] ? each : best;
            }
            right += best == digits.label(row) ? 1 : 0;
            loss -= Math.log(Math.max(LEAST, classes[digits.label(row)]));
        }
        return new Score(loss / predictions.length, (double) right / predictions.length);
    }
}
