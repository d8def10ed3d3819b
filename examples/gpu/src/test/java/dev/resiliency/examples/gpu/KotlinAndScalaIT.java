package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.Script;
import dev.resiliency.testing.ProcessJob;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiles the programs of the page on Kotlin and Scala with the compilers of these, and runs each on two ranks. */
@Tag("full")
class KotlinAndScalaIT {
    private static final Path PAGE = Documents.DOCS.resolve("kotlin-and-scala.md");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    Path directory;

    private Path classes;

    @BeforeEach
    void createDirectory() throws IOException {
        classes = Files.createDirectory(directory.resolve("classes"));
    }

    @Test
    void programInKotlinSurvivesAFault() throws Exception {
        assertThat(compileKotlin("{ call -> train(call) }")).doesNotContain("error");

        assertRuns("TrainKt");
    }

    @Test
    void kotlinNeedsANameForTheParameter() throws Exception {
        assertThat(compileKotlin("{ train(it) }")).contains("ambiguity");
    }

    private String compileKotlin(String function) throws Exception {
        Path source = source("kotlin", "Train.kt", "{ call -> train(call) }", function);
        return run(
                "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-cp", CLASS_PATH, source);
    }

    /** With the function as the page has it, and in its short form. */
    @ParameterizedTest
    @ValueSource(strings = {"call(call => train(call))", "call(train(_))"})
    void programInScalaSurvivesAFault(String function) throws Exception {
        Path source = source("scala", "Train.scala", "call(call => train(call))", function);
        assertThat(run("scala.tools.nsc.Main", "-usejavacp", source)).doesNotContain("error");

        assertRuns("Train");
    }

    private Path source(String language, String name, String asPrinted, String function) throws IOException {
        String program = Documents.blocks(PAGE, language).get(0);
        assertThat(program).contains(asPrinted);
        return Files.writeString(directory.resolve(name), program.replace(asPrinted, function));
    }

    /** Runs a compiler on the class path of this test; returns its output. */
    private String run(String compiler, Object... arguments) throws Exception {
        Script java = new Script(directory, JAVA, "-cp", CLASS_PATH, compiler, "-d", classes.toString());
        java.run(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
        return java.output();
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
