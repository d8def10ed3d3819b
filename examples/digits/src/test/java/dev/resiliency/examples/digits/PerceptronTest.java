package dev.resiliency.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PerceptronTest {
    private static final int UNITS = 7;
    private static final int LABEL = 3;

    @Test
    void gradientAgreesWithFiniteDifferences() {
        Perceptron model = new Perceptron(UNITS, 1);
        float[] pixels = somePixels();
        float[] parameters = model.parameters();
        float[] gradient = new float[parameters.length];
        model.addGradient(pixels, LABEL, gradient);

        float step = 1e-2f;
        for (int i = 0; i < parameters.length; i += 5) {
            float before = parameters[i];
            parameters[i] = before + step;
            float above = loss(model, pixels);
            parameters[i] = before - step;
            float below = loss(model, pixels);
            parameters[i] = before;
            assertThat(gradient[i]).as("parameter %d", i).isCloseTo((above - below) / (2 * step), within(2e-3f));
        }
    }

    @Test
    void gradientsOfSeveralDigitsAddUp() {
        Perceptron model = new Perceptron(UNITS, 1);
        float[] once = new float[model.parameters().length];
        float[] twice = new float[once.length];
        model.addGradient(somePixels(), LABEL, once);
        model.addGradient(somePixels(), LABEL, twice);
        model.addGradient(somePixels(), LABEL, twice);

        for (int i = 0; i < once.length; i++) {
            assertThat(twice[i]).isCloseTo(2 * once[i], within(1e-6f));
        }
    }

    @Test
    void sameSeedGivesTheSameModel() {
        assertThat(new Perceptron(UNITS, 5).parameters()).isEqualTo(new Perceptron(UNITS, 5).parameters());
        assertThat(new Perceptron(UNITS, 5).parameters()).isNotEqualTo(new Perceptron(UNITS, 6).parameters());
    }

    @Test
    void momentumMovesAgainstTheGradientAndKeepsMoving() {
        TrainingPlan plan = new TrainingPlan(1, 4, UNITS, 0.5f, 0.5f, 1, 1, 1);
        float[] parameters = {1};
        float[] velocity = {0};

        plan.move(parameters, velocity, new float[] {4});
        assertThat(parameters).containsExactly(0.5f);

        plan.move(parameters, velocity, new float[] {0});
        assertThat(parameters).containsExactly(0.25f);
    }

    private static float loss(Perceptron model, float[] pixels) {
        return model.addGradient(pixels, LABEL, new float[model.parameters().length]);
    }

    private static float[] somePixels() {
        SplittableRandom random = new SplittableRandom(2);
        float[] pixels = new float[Digits.PIXELS];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (float) random.nextDouble();
        }
        return pixels;
    }
}
