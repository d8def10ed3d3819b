package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars on the module path of a separate JVM, which starts its monitor process. */
class ModulePathIT {
    private static final String RESTARTED = """
        import dev.resiliency.inprocess.Wrapper;

        public class Program {
            public static void main(String[] arguments) throws Exception {
                String result = Wrapper.builder().build().call(call -> {
                    if (call.iteration() == 0) {
                        throw new IllegalStateException("loss is NaN");
                    }
                    return "restarted in " + Wrapper.class.getModule();
                });
                System.out.println(result);
            }
        }
        """;

    /** As tests of a named module use the jar. */
    private static final String BROKEN = """
        import dev.resiliency.inprocess.Wrapper;
        import dev.resiliency.testing.Fault;
        import dev.resiliency.testing.FaultInjector;
        import java.util.List;

        public class Program {
            public static void main(String[] arguments) throws Exception {
                FaultInjector injector = new FaultInjector(List.of(Fault.parse("async-exception:0@1")));
                String result = Wrapper.builder().build().call(call -> {
                    injector.stepStarts(call, 1);
                    return "restarted by " + FaultInjector.class.getModule();
                });
                System.out.println(result);
            }
        }
        """;

    private static final Path CORE = Path.of("..", "target");
    private static final Path STORE = Path.of("..", "..", "resiliency-store", "target");
    private static final Path TESTING = Path.of("..", "testing", "target");

    @TempDir
    private Path directory;

    @Test
    void jobIsRestartedOnTheModulePath() throws Exception {
        String modules = modulePath("netty|slf4j|jspecify", builtJar(CORE, "core"), builtJar(STORE, "store"));

        assertThat(run(RESTARTED, modules, "dev.resiliency.core"))
                .startsWith("restarted in module dev.resiliency.core");
    }

    @Test
    void faultIsInjectedOnTheModulePath() throws Exception {
        String modules = modulePath(
                "netty|slf4j|jspecify|jna",
                builtJar(TESTING, "testing"),
                builtJar(CORE, "core"),
                builtJar(STORE, "store"));

        assertThat(run(BROKEN, modules, "dev.resiliency.testing,com.sun.jna"))
                .startsWith("restarted by module dev.resiliency.testing");
    }

    /** Runs a program with these modules, which must succeed; returns what it prints. */
    private String run(String program, String modulePath, String modules) throws Exception {
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath,
                        "--add-modules",
                        modules,
                        Files.writeString(directory.resolve("Program.java"), program)
                                .toString()))
                .redirectError(errors.toFile());
        builder.environment().keySet().removeAll(List.of("RANK", "WORLD_SIZE"));

        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(() -> text(errors)).isZero();
        return output;
    }

    private static String modulePath(String dependencies, Path... ours) {
        Stream<Path> others = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(".*/(" + dependencies + ")-?[^/]*\\.jar"))
                .map(Path::of);
        return Stream.concat(Stream.of(ours), others)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path builtJar(Path directory, String module) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file ->
                            file.getFileName().toString().matches("resiliency-" + module + "-[^-]*(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
