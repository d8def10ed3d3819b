package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.digits.MeasurableDigitsTraining;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.state.LiveState;
import dev.resiliency.state.RecoveryReport;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
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
    /** The name of no training at all. */
    static final String NONE = "none";
    /** Precedes the number of megabytes in the name of a training with live state. */
    static final String STATE_PREFIX = "state-";

    private static final List<Example> EXAMPLES = List.of(
            new Example("pytorch", List.of("pytorch"), "(pytorch|openblas|javacpp|resiliency-pytorch)-.*\\.jar"),
            new Example(
                    "xgboost",
                    List.of("xgboost", "xgboost-tracker"),
                    "(xgboost4j_.*|kryo|reflectasm|objenesis|minlog|commons-logging|resiliency-xgboost)-.*\\.jar"));

    private Trainings() {}

    /**
     * An example whose trainings are not on the class path of the benchmark. Its folder is in a system property, with its
     * classes and, in {@code lib}, its libraries.
     *
     * @param jars what the benchmark lacks of these
     */
    private record Example(String name, List<String> trainings, String jars) {
        Path library() {
            return Path.of(System.getProperty("resiliency." + name + ".library", "missing"), "lib");
        }
    }

    private static @Nullable Example exampleOf(String training) {
        return EXAMPLES.stream()
                .filter(each -> each.trainings().contains(training))
                .findFirst()
                .orElse(null);
    }

    /** Returns the names of all trainings. */
    static List<String> names() {
        return Stream.concat(Stream.of(NONE, "digits"), EXAMPLES.stream().flatMap(each -> each.trainings().stream()))
                .toList();
    }

    /** Returns the name of the training with a state of so many megabytes. */
    static String withState(int megabytes) {
        return STATE_PREFIX + megabytes;
    }

    /** Returns the reason why this training cannot be measured here; null if it can. */
    static @Nullable String obstacle(String name) {
        if (!names().contains(name) && !name.startsWith(STATE_PREFIX)) {
            return "there is no training %s, but %s".formatted(name, String.join(", ", names()));
        }
        Example example = exampleOf(name);
        return example != null && !Files.isDirectory(example.library())
                ? "the training %s is not built: start this by examples/bench.sh".formatted(name)
                : null;
    }

    /** Creates a training, in the process of a rank. */
    static MeasurableTraining create(String name) throws IOException {
        if (name.startsWith(STATE_PREFIX)) {
            return new StateTraining(Integer.parseInt(name.substring(STATE_PREFIX.length())));
        }
        List<MeasurableTraining> all = new ArrayList<>(List.of(new NoTraining(), new MeasurableDigitsTraining()));
        ServiceLoader.load(MeasurableTraining.class).forEach(all::add);
        return all.stream()
                .filter(training -> training.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no training " + name + " is on the class path"));
    }

    /** Returns what else a rank needs on its class path; empty if nothing. */
    static String library(String name) throws IOException {
        Example example = exampleOf(name);
        if (example == null) {
            return "";
        }
        Pattern needed = Pattern.compile(example.jars());
        try (Stream<Path> jars = Files.list(example.library())) {
            return Stream.concat(
                            Stream.of(example.library().resolveSibling("classes")),
                            jars.filter(jar ->
                                    needed.matcher(jar.getFileName().toString()).matches()))
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Returns the pause between two steps; with steps that compute, it leaves the processors to the other ranks. */
    static Duration pause(String name) {
        return Duration.ofMillis(name.equals(NONE) ? 5 : 100);
    }

    /** Returns the processor time per second that all ranks together use when they have warmed up; they may use less. */
    static Duration settled(String name) {
        return Duration.ofMillis(name.equals(NONE) ? 250 : 1_000);
    }

    /** A training loop without training, whose ranks do not communicate: what remains is the time of the wrapper. */
    private static final class NoTraining implements MeasurableTraining {
        @Override
        public String name() {
            return NONE;
        }

        @Override
        public Iteration begin(CallWrapper call) {
            return (step, wantsEnd) -> wantsEnd;
        }
    }

    /** The training with the digits, and live state beside it: so many megabytes that each step changes. */
    private static final class StateTraining implements MeasurableTraining {
        private final MeasurableTraining digits = new MeasurableDigitsTraining();
        private final int megabytes;

        StateTraining(int megabytes) throws IOException {
            this.megabytes = megabytes;
        }

        @Override
        public String name() {
            return withState(megabytes);
        }

        @Override
        public Iteration begin(CallWrapper call) throws Exception {
            LiveState state = LiveState.of(call);
            ByteBuffer memory = state.memory("state", () -> ByteBuffer.allocateDirect(megabytes << 20));
            long from = state.recover(() -> 0); // without a checkpoint
            RecoveryReport recovery = state.recovery();
            Iteration steps = digits.begin(call);
            return new Iteration() {
                @Override
                public RecoveryReport recovery() {
                    return recovery;
                }

                @Override
                public boolean step(int step, boolean wantsEnd) throws Exception {
                    boolean isEnd = steps.step(step, wantsEnd);
                    state.commit(from + step, () -> memory.putLong(0, from + step));
                    return isEnd;
                }

                @Override
                public void close() throws IOException {
                    steps.close();
                }
            };
        }
    }
}
