package dev.resiliency.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the programs of the page. */
class DocumentedStageIT {
    private static final Path PAGE = Path.of("../../docs/spark.md");

    @TempDir
    private Path directory;

    @Test
    void programInJavaRuns() throws Exception {
        run(
                "javac",
                "com.sun.tools.javac.Main",
                "-proc:none",
                "-cp",
                classPath(),
                "-d",
                directory,
                source("java", "FitInSpark.java"));

        assertThat(program("FitInSpark")).contains("slope 3.0000, the same on 3 ranks");
    }

    @Test
    void programInScalaRuns() throws Exception {
        run("scalac", "scala.tools.nsc.Main", "-usejavacp", "-d", directory, source("scala", "CountInSpark.scala"));

        assertThat(program("CountInSpark")).contains("rows of each rank: [100, 100, 100]");
    }

    private Path source(String language, String name) throws IOException {
        Matcher block =
                Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return Files.writeString(directory.resolve(name), block.group(1));
    }

    private String program(String name) throws Exception {
        return run(name, "-Dspark.master=local[3]", "-Dspark.app.name=page", "-Dspark.ui.enabled=false", name);
    }

    private String classPath() {
        return System.getProperty("java.class.path") + File.pathSeparator + directory;
    }

    /** Runs a program of Java, and returns what it has printed. */
    private String run(String name, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        Path output = directory.resolve(name + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor()).as(() -> read(output)).isZero();
        return read(output);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
