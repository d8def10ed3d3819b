package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The commands of the pages of docs, which run as they are printed there, with {@code bin/resiliency} and the jar that it
 * starts. A {@code java} of its own replaces {@code train.jar} by the program of docs/supervise.md.
 */
final class LauncherDocument implements AutoCloseable {
    private static final Path PAGES = Path.of("../docs");
    private static final Path SCRIPT = Path.of("bin/resiliency").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Path directory;
    private final List<Process> started = new ArrayList<>();
    private final Map<String, String> replacements = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();

    /** Prepares the commands to run in a directory. */
    LauncherDocument(Path directory) throws IOException {
        this.directory = directory;
        replace("29500", Integer.toString(ProcessJob.freePort()));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.createDirectory(directory.resolve("bin"));
        writeProgram("resiliency", "exec '%s' \"$@\"".formatted(SCRIPT));
        // Java shows only the first 4 KiB of a command line, and class paths are longer.
        Path arguments = Files.writeString(
                directory.resolve("arguments"),
                "-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp " + directory + ":"
                        + System.getProperty("java.class.path"));
        writeProgram("java", """
                [[ "$*" == "-jar train.jar" ]] || exec '%s' "$@"
                exec '%s' @%s Train
                """.formatted(java, java, arguments));
        Path program =
                Files.writeString(directory.resolve("Train.java"), match("supervise.md", "(?ms)^```java\\n(.*?)^```$"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                directory.toString(),
                                program.toString()))
                .isZero();
    }

    /** Replaces a text in all commands that are started from now on, such as a port by a free one. */
    void replace(String text, String replacement) {
        replacements.put(text, replacement);
    }

    /** Sets an environment variable of all commands that are started from now on. */
    void set(String name, String value) {
        variables.put(name, value);
    }

    /** Writes a program that commands find before those of the host. */
    void writeProgram(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve("bin").resolve(name), "#!/usr/bin/env bash\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Returns the first group of the only match of a pattern in a page. */
    String match(String page, String pattern) throws IOException {
        List<String> matches = matches(page, pattern);
        assertThat(matches).as("%s in %s", pattern, page).hasSize(1);
        return matches.get(0);
    }

    /** Returns the first group of all matches of a pattern in a page. */
    List<String> matches(String page, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(PAGES.resolve(page)))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    /** Starts a command. */
    Command start(String command) throws IOException {
        Path output = directory.resolve("output-" + started.size());
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", replaced(command))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
        builder.environment().merge("PATH", directory.resolve("bin").toString(), (path, first) -> first + ":" + path);
        builder.environment().putAll(variables);
        Process process = builder.start();
        started.add(process);
        return new Command(process, output);
    }

    /** Returns a text with all replacements. */
    String replaced(String text) {
        String replaced = text;
        for (Map.Entry<String, String> replacement : replacements.entrySet()) {
            replaced = replaced.replace(replacement.getKey(), replacement.getValue());
        }
        return replaced;
    }

    /** Ends all commands. */
    @Override
    public void close() {
        for (Process process : started) {
            List<ProcessHandle> family = process.descendants().toList();
            process.destroyForcibly();
            family.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** A command that runs, and the file of its output. */
    record Command(Process process, Path file) {
        String output() {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        void awaitOutput(String text) {
            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() -> assertThat(output()).contains(text));
        }

        void killProgram() {
            Stream<ProcessHandle> family = process.descendants();
            family.filter(each -> each.info().commandLine().orElse("").endsWith(" Train"))
                    .forEach(ProcessHandle::destroyForcibly);
        }

        int awaitExit() throws InterruptedException {
            assertThat(process.waitFor(Patience.stretch(LIMIT).toSeconds(), TimeUnit.SECONDS))
                    .as(output())
                    .isTrue();
            return process.exitValue();
        }
    }
}
