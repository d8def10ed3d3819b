package dev.resiliency.nccl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.nccl.NativeShim;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the jars as others do: on the module path of a JVM of its own, with the native jars as modules. */
class ModulePathIT {
    private static final String PROGRAM = """
            import dev.resiliency.nccl.*;

            public class Program {
                public static void main(String[] arguments) {
                    System.out.println("NCCL " + CudaDevices.versions().nccl() + " in " + CudaDevices.class.getModule());
                }
            }
            """;

    @Test
    void librariesAreFoundFromTheModulePath(@TempDir Path directory) throws Exception {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                modulePath(),
                "--add-modules",
                "dev.resiliency.nccl,org.bytedeco.cuda.linux.x86_64,org.bytedeco.javacpp.linux.x86_64"));
        NativeShim.ofThisProcess().properties().forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add(program.toString());

        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(output).contains("NCCL 2.29.7 in module dev.resiliency.nccl");
        assertThat(process.waitFor()).isZero();
    }

    private static String modulePath() throws IOException {
        Stream<Path> dependencies = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(".*/(netty|slf4j|jspecify|javacpp|cuda|jna)-?[^/]*\\.jar"))
                .map(Path::of);
        return Stream.concat(
                        Stream.of(
                                builtJar("resiliency-nccl"),
                                builtJar("resiliency-core/state"),
                                builtJar("resiliency-core"),
                                builtJar("resiliency-store")),
                        dependencies)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path builtJar(String directory) throws IOException {
        String name = directory.replaceFirst(".*/", "resiliency-");
        try (Stream<Path> files = Files.list(Path.of("..", directory, "target"))) {
            return files.filter(file -> file.getFileName().toString().matches(name + "-[^-]*(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
