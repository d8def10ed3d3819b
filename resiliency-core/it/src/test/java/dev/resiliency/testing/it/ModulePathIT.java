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

/** The jar as tests of a named module use it: on the module path. */
class ModulePathIT {
    private static final String PROGRAM = """
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

    @Test
    void faultIsInjectedOnTheModulePath(@TempDir Path directory) throws Exception {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath(),
                        "--add-modules",
                        "dev.resiliency.testing,com.sun.jna",
                        program.toString()))
                .redirectError(errors.toFile());
        builder.environment().keySet().removeAll(List.of("RANK", "WORLD_SIZE"));

        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(() -> text(errors)).isZero();
        assertThat(output).startsWith("restarted by module dev.resiliency.testing");
    }

    private static String modulePath() throws IOException {
        Stream<Path> dependencies = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(".*/(netty|slf4j|jspecify|jna)-?[^/]*\\.jar"))
                .map(Path::of);
        Stream<Path> ours = Stream.of(
                builtJar(Path.of("..", "testing", "target"), "testing"),
                builtJar(Path.of("..", "target"), "core"),
                builtJar(Path.of("..", "..", "resiliency-store", "target"), "store"));
        return Stream.concat(ours, dependencies).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
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
