package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the programs of the page on Kotlin and Scala with the compilers of these, and runs each on two ranks. */
@Tag("full")
class KotlinAndScalaIT {
    private static final Path PAGE = Documents.DOCS.resolve("kotlin-and-scala.md");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    Path directory;

    private Path classes;

    @BeforeEach
    void createDirectory() throws IOException {
        classes = Files.createDirectory(directory.resolve("classes"));
    }

    @Test
    void programInKotlinSurvivesAFault() throws Exception {
        Path source = source("kotlin", "Train.kt");
        compile("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-cp", CLASS_PATH, source);

        assertRuns("TrainKt");
    }

    @Test
    void kotlinNeedsANameForTheParameter() throws Exception {
        Path source = source("kotlin", "Train.kt");
        Files.writeString(source, Files.readString(source).replace("{ call -> train(call) }", "{ train(it) }"));

        assertThat(run(
                        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
                        "-no-stdlib",
                        "-no-reflect",
                        "-cp",
                        CLASS_PATH,
                        source))
                .contains("ambiguity");
    }

    @Test
    void programInScalaSurvivesAFault() throws Exception {
        Path source = source("scala", "Train.scala");
        compile("scala.tools.nsc.Main", "-usejavacp", source);

        assertRuns("Train");
    }

    @Test
    void scalaTakesAFunctionInItsShortForm() throws Exception {
        Path source = source("scala", "Train.scala");
        Files.writeString(source, Files.readString(source).replace("call(call => train(call))", "call(train(_))"));

        compile("scala.tools.nsc.Main", "-usejavacp", source);
    }

    private Path source(String language, String name) throws IOException {
        return Files.writeString(
                directory.resolve(name), Documents.blocks(PAGE, language).get(0));
    }

    private void compile(String compiler, Object... arguments) throws Exception {
        assertThat(run(compiler, arguments)).doesNotContain("error");
        assertThat(classes).isNotEmptyDirectory();
    }

    /** Runs a compiler on the class path of this test; returns its output. */
    private String run(String compiler, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", CLASS_PATH, compiler));
        command.addAll(List.of("-d", classes.toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.waitFor();
        return Files.readString(output);
    }

    private void assertRuns(String program) throws Exception {
        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {classes.toUri().toURL()});
                ProcessJob job = ProcessJob.builder(loader.loadClass(program), directory)
                        .classPath(CLASS_PATH + File.pathSeparator + classes)
                        .worldSize(2)
                        .start()) {
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit()).isZero();
                assertThat(job.rank(rank).lines())
                        .contains(
                                "rank " + rank + " of 2 begins iteration 0",
                                "rank " + rank + " of 2 begins iteration 1")
                        .last()
                        .isEqualTo("finished: slope 3.0000");
            }
        }
    }
}
