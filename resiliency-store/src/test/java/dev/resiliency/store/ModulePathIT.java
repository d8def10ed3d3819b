package dev.resiliency.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as others use it: on the module path of a JVM of its own. */
class ModulePathIT {
    private static final String PROGRAM = """
            import dev.resiliency.store.tcp.TcpStore;
            import dev.resiliency.store.tcp.TcpStoreServer;

            public class Program {
                public static void main(String[] arguments) throws Exception {
                    try (var server = TcpStoreServer.builder().start();
                            var store = TcpStore.builder().port(server.port()).connect()) {
                        store.set("key", "it works");
                        System.out.println(store.get("key").text() + " in " + TcpStore.class.getModule());
                    }
                    System.out.println(Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .filter(name -> name.matches("(resiliency|globalEventExecutor|netty).*"))
                            .toList());
                }
            }
            """;

    @Test
    void storeWorksOnTheModulePath(@TempDir Path directory) throws Exception {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        String modulePath = Stream.concat(Stream.of(builtJar()), dependencies())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));

        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath,
                        "--add-modules",
                        "dev.resiliency.store",
                        program.toString()))
                .redirectError(directory.resolve("errors").toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(output)
                .as(() -> errors(directory))
                .startsWith("it works in module dev.resiliency.store")
                .as("threads of the store, or of Netty, after it is closed")
                .endsWith("[]\n");
        assertThat(process.waitFor()).isZero();
    }

    private static Path builtJar() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.filter(file ->
                            file.getFileName().toString().matches("resiliency-store-\\d[^-]*(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Stream<Path> dependencies() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> path.matches(".*/(netty|slf4j|jspecify)-?[^/]*\\.jar"))
                .map(Path::of);
    }

    private static String errors(Path directory) {
        try {
            return Files.readString(directory.resolve("errors"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
