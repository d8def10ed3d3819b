package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.digits.MeasurableDigitsTraining;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.examples.digits.MeasurableTraining.Iteration;
import dev.resiliency.examples.job.Program;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The trainings by their names on the command line, and what the processes of their ranks need. */
final class Trainings {
    /** The name of no training at all. */
    static final String NONE = "none";
    /** Precedes the number of megabytes in the name of a training with live state. */
    static final String STATE_PREFIX = "state-";

    private static final Example PYTORCH =
            new Example("pytorch", "(pytorch|openblas|javacpp|resiliency-pytorch)-.*\\.jar");
    private static final Example XGBOOST = new Example(
            "xgboost", "(xgboost4j_.*|kryo|reflectasm|objenesis|minlog|commons-logging|resiliency-xgboost)-.*\\.jar");
    private static final Map<String, Example> EXAMPLES =
            new TreeMap<>(Map.of("pytorch", PYTORCH, "xgboost", XGBOOST, "xgboost-tracker", XGBOOST));

    private Trainings() {}

    /**
     * An example whose trainings are not on the class path of the benchmark. Its folder is in a system property, with its
     * classes and, in {@code lib}, its libraries.
     *
     * @param jars what the benchmark lacks of these
     */
    private record Example(String name, String jars) {
        Path library() {
            return Path.of(System.getProperty("resiliency." + name + ".library", "missing"), "lib");
        }
    }

    /** Returns the name of the training with a state of so many megabytes. */
    static String withState(int megabytes) {
        return STATE_PREFIX + megabytes;
    }

    /** Rejects a training that cannot be measured here. */
    static void check(String name) {
        Set<String> names = new LinkedHashSet<>(List.of(NONE, "digits"));
        names.addAll(EXAMPLES.keySet());
        Program.require(
                names.contains(name) || name.startsWith(STATE_PREFIX),
                "--training: there is no training %s, but %s".formatted(name, String.join(", ", names)));
        Example example = EXAMPLES.get(name);
        Program.require(
                example == null || Files.isDirectory(example.library()),
                "--training: %s is not built: start this by examples/bench.sh".formatted(name));
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
        Example example = EXAMPLES.get(name);
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
            return new StateSteps(digits.begin(call), state, memory, from);
        }
    }

    private record StateSteps(Iteration digits, LiveState state, ByteBuffer memory, long from) implements Iteration {
        @Override
        public RecoveryReport recovery() {
            return state.recovery();
        }

        @Override
        public boolean step(int step, boolean wantsEnd) throws Exception {
            boolean isEnd = digits.step(step, wantsEnd);
            state.commit(from + step, () -> memory.putLong(0, from + step));
            return isEnd;
        }

        @Override
        public void close() throws IOException {
            digits.close();
        }
    }
}
