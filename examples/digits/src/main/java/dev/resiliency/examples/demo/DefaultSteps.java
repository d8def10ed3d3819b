package dev.resiliency.examples.demo;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Another default of {@code --steps}, for trainings that learn as much in fewer steps, which take longer. */
public abstract class DefaultSteps implements IDefaultValueProvider {
    private final int steps;

    /** Sets the number of steps. */
    protected DefaultSteps(int steps) {
        this.steps = steps;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option && option.longestName().equals("--steps")
                ? Integer.toString(steps)
                : null;
    }
}
