package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.digits.Digits;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;

/**
 * Digits as tensors.
 *
 * @param pixels of one channel, 8 by 8
 * @param labels the class of each
 */
record Pictures(Tensor pixels, Tensor labels) {
    private static final int SIDE = 8;

    /** Copies the digits with these indices. */
    static Pictures of(Digits digits, long... indices) {
        float[] pixels = new float[indices.length * Digits.PIXELS];
        long[] labels = new long[indices.length];
        for (int i = 0; i < indices.length; i++) {
            System.arraycopy(digits.pixels((int) indices[i]), 0, pixels, i * Digits.PIXELS, Digits.PIXELS);
            labels[i] = digits.label((int) indices[i]);
        }
        return new Pictures(Tensor.create(pixels, indices.length, 1, SIDE, SIDE), Tensor.create(labels));
    }

    /** Copies all digits. */
    static Pictures of(Digits digits) {
        return of(digits, LongStream.range(0, digits.size()).toArray());
    }
}
