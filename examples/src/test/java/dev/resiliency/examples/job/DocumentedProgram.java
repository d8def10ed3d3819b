package dev.resiliency.examples.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** The program in a document, compiled, and started with the options that the document gives. */
public final class DocumentedProgram implements AutoCloseable {
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\\n(.*?class (\\w+).*?)^```$");
    private static final Pattern OPTION = Pattern.compile("Start each rank with `(-D[^`]+)`");
    private static final String LIBRARIES = System.getProperty("java.class.path");

    private final URLClassLoader loader;
    private final ProcessJob.Builder settings;

    private DocumentedProgram(URLClassLoader loader, ProcessJob.Builder settings) {
        this.loader = loader;
        this.settings = settings;
    }

    /** Requires of each rank of a job that it ends with success, and prints a line like this. */
    public static void assertRanksPrint(String pattern, List<RankProcess> ranks) throws InterruptedException {
        for (RankProcess rank : ranks) {
            assertThat(rank.awaitExit()).as(rank::log).isZero();
            assertThat(rank.lines()).as(rank::log).anyMatch(line -> line.matches(pattern));
        }
    }

    /** Compiles the program of a document in {@code docs} to this directory. */
    public static DocumentedProgram of(String document, Path directory)
            throws IOException, ReflectiveOperationException {
        String text = Files.readString(Path.of("..", "..", "docs", document));
        Matcher program = PROGRAM.matcher(text);
        Matcher option = OPTION.matcher(text);
        assertThat(program.find()).isTrue();
        compile(program.group(2), program.group(1), directory);
        URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        ProcessJob.Builder settings = ProcessJob.builder(loader.loadClass(program.group(2)), directory)
                .limit(Duration.ofSeconds(150)) // libtorch alone takes 30 s to load beside several builds
                .classPath(directory + File.pathSeparator + LIBRARIES);
        if (option.find()) {
            settings.javaOptions(option.group(1));
        }
        return new DocumentedProgram(loader, settings);
    }

    /** Compiles a class to this directory, with the class path of the tests. */
    public static void compile(String name, String text, Path directory) throws IOException {
        Path source = Files.writeString(directory.resolve(name + ".java"), text);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", LIBRARIES, source.toString()))
                .isZero();
    }

    /** Returns what the job starts with, for more settings. */
    public ProcessJob.Builder job() {
        return settings;
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
