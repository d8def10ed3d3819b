package dev.resiliency.examples.digits;

/** Stochastic gradient descent with momentum. Its velocity belongs in the checkpoint, beside the parameters. */
final class Momentum {
    private final float learningRate;
    private final float decay;
    private final float[] velocity;

    Momentum(float learningRate, float decay, int parameters) {
        this.learningRate = learningRate;
        this.decay = decay;
        velocity = new float[parameters];
    }

    /** Returns the velocity itself, to be restored in place. */
    float[] velocity() {
        return velocity;
    }

    /** Moves the parameters by one step; the gradient is that of {@code samples} samples, summed up. */
    void update(float[] parameters, float[] gradient, int samples) {
        float scale = learningRate / samples;
        for (int i = 0; i < parameters.length; i++) {
            velocity[i] = decay * velocity[i] - scale * gradient[i];
            parameters[i] += velocity[i];
        }
    }
}
