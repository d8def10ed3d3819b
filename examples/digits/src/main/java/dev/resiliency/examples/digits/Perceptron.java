package dev.resiliency.examples.digits;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A network of one hidden layer: pixels, rectified linear units, softmax over the classes.
 *
 * <p>All parameters lie in one array, and so do their gradients, so that one all-reduce and one checkpoint carry the
 * whole model: hidden weights, hidden biases, output weights, output biases. Not safe for use by many threads.
 */
public final class Perceptron {
    private static final int INPUTS = Digits.PIXELS;
    private static final int OUTPUTS = Digits.CLASSES;

    private final int units;
    private final int hiddenBiases;
    private final int outputWeights;
    private final int outputBiases;
    private final float[] parameters;

    private final float[] hidden;
    private final float[] hiddenError;
    private final float[] output = new float[OUTPUTS];

    /** Creates a network with small random weights: the same on every rank that uses the same seed. */
    public Perceptron(int units, long seed) {
        this(units, new float[parameterCount(units)]);
        initialize(seed);
    }

    /** Creates a network whose parameters lie in this array, of {@link #parameterCount} elements. */
    public Perceptron(int units, float[] parameters) {
        this.units = units;
        this.parameters = parameters;
        hiddenBiases = units * INPUTS;
        outputWeights = hiddenBiases + units;
        outputBiases = outputWeights + OUTPUTS * units;
        hidden = new float[units];
        hiddenError = new float[units];
    }

    /** Returns the number of parameters of a network of this width. */
    public static int parameterCount(int units) {
        return units * (INPUTS + 1) + OUTPUTS * (units + 1);
    }

    /** Sets small random weights, and biases of 0: the same on every rank that uses the same seed. */
    public void initialize(long seed) {
        Arrays.fill(parameters, 0);
        SplittableRandom random = new SplittableRandom(seed);
        fillUniformly(random, 0, hiddenBiases, Math.sqrt(6.0 / INPUTS));
        fillUniformly(random, outputWeights, outputBiases, Math.sqrt(6.0 / units));
    }

    private void fillUniformly(SplittableRandom random, int from, int to, double limit) {
        for (int i = from; i < to; i++) {
            parameters[i] = (float) ((2 * random.nextDouble() - 1) * limit);
        }
    }

    /** Returns the parameters themselves, to be updated in place. */
    public float[] parameters() {
        return parameters;
    }

    /** Adds the gradient of the loss of some of the digits; returns the loss, summed up. */
    public float addGradient(Digits digits, long[] indices, float[] gradient) {
        float loss = 0;
        for (long index : indices) {
            loss += addGradient(digits.pixels((int) index), digits.label((int) index), gradient);
        }
        return loss;
    }

    /**
     * Adds the gradient of the loss (cross-entropy) of one digit.
     *
     * @return the loss
     */
    float addGradient(float[] pixels, int label, float[] gradient) {
        computeProbabilities(pixels);
        float loss = (float) -Math.log(Math.max(output[label], Float.MIN_NORMAL));

        output[label] -= 1; // the output is now the derivative of the loss by what goes into the softmax
        Arrays.fill(hiddenError, 0);
        for (int k = 0; k < OUTPUTS; k++) {
            float error = output[k];
            int row = outputWeights + k * units;
            for (int j = 0; j < units; j++) {
                gradient[row + j] += error * hidden[j];
                hiddenError[j] += error * parameters[row + j];
            }
            gradient[outputBiases + k] += error;
        }
        for (int j = 0; j < units; j++) {
            if (hidden[j] > 0) {
                float error = hiddenError[j];
                int row = j * INPUTS;
                for (int i = 0; i < INPUTS; i++) {
                    gradient[row + i] += error * pixels[i];
                }
                gradient[hiddenBiases + j] += error;
            }
        }
        return loss;
    }

    /** Returns the fraction of these digits that the network classifies correctly. */
    public double accuracy(Digits digits) {
        int right = 0;
        for (int i = 0; i < digits.size(); i++) {
            computeProbabilities(digits.pixels(i));
            if (indexOfMaximum(output) == digits.label(i)) {
                right++;
            }
        }
        return (double) right / digits.size();
    }

    private void computeProbabilities(float[] pixels) {
        for (int j = 0; j < units; j++) {
            float sum = parameters[hiddenBiases + j];
            int row = j * INPUTS;
            for (int i = 0; i < INPUTS; i++) {
                sum += parameters[row + i] * pixels[i];
            }
            hidden[j] = Math.max(sum, 0);
        }
        for (int k = 0; k < OUTPUTS; k++) {
            float sum = parameters[outputBiases + k];
            int row = outputWeights + k * units;
            for (int j = 0; j < units; j++) {
                sum += parameters[row + j] * hidden[j];
            }
            output[k] = sum;
        }
        softmax(output);
    }

    private static void softmax(float[] values) {
        float highest = values[indexOfMaximum(values)];
        float sum = 0;
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) Math.exp(values[k] - highest); // at most 1: no overflow
            sum += values[k];
        }
        for (int k = 0; k < values.length; k++) {
            values[k] /= sum;
        }
    }

    private static int indexOfMaximum(float[] values) {
        int best = 0;
        for (int k = 1; k < values.length; k++) {
            if (values[k] > values[best]) {
                best = k;
            }
        }
        return best;
    }
}
