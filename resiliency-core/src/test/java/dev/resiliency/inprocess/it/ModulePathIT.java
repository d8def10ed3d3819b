package dev.resiliency.inprocess.it;

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
    private static final String PROGRAM = """
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

    @Test
    void jobIsRestartedOnTheModulePath(@TempDir Path directory) throws Exception {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath(),
                        "--add-modules",
                        "dev.resiliency.core",
                        program.toString()))
                .redirectError(errors.toFile());
        builder.environment().keySet().removeAll(List.of("RANK", "WORLD_SIZE"));

        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(output).as(() -> text(errors)).startsWith("restarted in module dev.resiliency.core");
        assertThat(process.waitFor()).isZero();
    }

    private static String modulePath() throws IOException {
        Stream<Path> dependencies = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(".*/(netty|slf4j|jspecify)-?[^/]*\\.jar"))
                .map(Path::of);
        return Stream.concat(Stream.of(builtJar("core"), builtJar("store")), dependencies)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path builtJar(String module) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "resiliency-" + module, "target"))) {
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
