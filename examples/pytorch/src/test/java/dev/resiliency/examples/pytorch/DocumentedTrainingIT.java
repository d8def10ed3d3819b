package dev.resiliency.examples.pytorch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the program in docs/pytorch.md and runs it as a job, with the options that the document gives. */
class DocumentedTrainingIT {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "pytorch.md");
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\\n(.*?class (\\w+).*?)^```$");
    private static final Pattern OPTION = Pattern.compile("Start each rank with `(-D[^`]+)`");

    @Test
    void programInTheDocumentTrainsOnTwoRanks(@TempDir Path directory) throws Exception {
        String document = Files.readString(DOCUMENT);
        Matcher program = PROGRAM.matcher(document);
        Matcher option = OPTION.matcher(document);
        assertThat(program.find()).isTrue();
        assertThat(option.find()).isTrue();
        Path source = Files.writeString(directory.resolve(program.group(2) + ".java"), program.group(1), UTF_8);
        String libraries = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", libraries, source.toString()))
                .isZero();

        try (URLClassLoader loader =
                        new URLClassLoader(new URL[] {directory.toUri().toURL()});
                ProcessJob job = ProcessJob.builder(loader.loadClass(program.group(2)), directory)
                        .worldSize(2)
                        .classPath(directory + File.pathSeparator + libraries)
                        .environment("GLOO_SOCKET_IFNAME", "lo")
                        .javaOptions(option.group(1))
                        .start()) {
            for (RankProcess rank : job.ranks()) {
                assertThat(rank.awaitExit()).as(rank::log).isZero();
                assertThat(rank.lines())
                        .as(rank::log)
                        .anyMatch(line ->
                                line.matches("the last loss is 0\\.\\d+(E-\\d+)?|the last loss is \\d\\.\\d+E-\\d+"));
            }
        }
    }
}
