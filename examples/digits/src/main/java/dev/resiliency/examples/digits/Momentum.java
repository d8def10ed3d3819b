package dev.resiliency.examples.digits;

/** Stochastic gradient descent with momentum. Its velocity is part of the state, beside the parameters. */
final class Momentum {
    private final float learningRate;
    private final float decay;
    private final float[] velocity;

    /** Creates it with this velocity, which it changes in place: as many elements as there are parameters. */
    Momentum(float learningRate, float decay, float[] velocity) {
        this.learningRate = learningRate;
        this.decay = decay;
        this.velocity = velocity;
    }

    /** Returns the velocity itself. */
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
