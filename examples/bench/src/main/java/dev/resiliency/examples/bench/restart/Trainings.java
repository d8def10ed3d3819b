package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.digits.MeasurableDigitsTraining;
import dev.resiliency.examples.digits.MeasurableTraining;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The trainings by their names on the command line, and what the processes of their ranks need. */
final class Trainings {
    /** System property: the folder of the example with PyTorch, with its classes and, in {@code lib}, its libraries. */
    private static final String PYTORCH_LIBRARY = "resiliency.pytorch.library";

    private static final String PYTORCH = "pytorch";
    /** What the benchmark lacks: the others are on its class path. */
    private static final Pattern PYTORCH_JARS =
            Pattern.compile("(pytorch|openblas|javacpp|resiliency-pytorch)-.*\\.jar");

    private Trainings() {}

    /** Returns the names of all trainings. */
    static List<String> names() {
        return List.of(NoTraining.NAME, "digits", PYTORCH);
    }

    /** Returns the reason why this training cannot be measured here; null if it can. */
    static @Nullable String obstacle(String name) {
        if (!names().contains(name)) {
            return "there is no training %s, but %s".formatted(name, String.join(", ", names()));
        }
        return name.equals(PYTORCH) && !Files.isDirectory(library())
                ? "PyTorch's training is not built: start this by examples/bench.sh"
                : null;
    }

    /** Creates a training, in the process of a rank. */
    static MeasurableTraining create(String name) throws IOException {
        List<MeasurableTraining> all = new ArrayList<>(List.of(new NoTraining(), new MeasurableDigitsTraining()));
        ServiceLoader.load(MeasurableTraining.class).forEach(all::add);
        return all.stream()
                .filter(training -> training.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no training " + name + " is on the class path"));
    }

    /** Returns what else a rank needs on its class path; empty if nothing. */
    static String library(String name) throws IOException {
        if (!name.equals(PYTORCH)) {
            return "";
        }
        try (Stream<Path> jars = Files.list(library())) {
            return Stream.concat(
                            Stream.of(library().resolveSibling("classes")),
                            jars.filter(jar -> PYTORCH_JARS
                                    .matcher(jar.getFileName().toString())
                                    .matches()))
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static Path library() {
        return Path.of(System.getProperty(PYTORCH_LIBRARY, "missing"), "lib");
    }

    /** Returns the pause between two steps; with steps that compute, it leaves the processors to the other ranks. */
    static Duration pause(String name) {
        return Duration.ofMillis(name.equals(NoTraining.NAME) ? 5 : 100);
    }

    /** Returns the processor time per second that all ranks together use when they have warmed up; they may use less. */
    static Duration settled(String name) {
        return Duration.ofMillis(name.equals(NoTraining.NAME) ? 250 : 1_000);
    }
}
