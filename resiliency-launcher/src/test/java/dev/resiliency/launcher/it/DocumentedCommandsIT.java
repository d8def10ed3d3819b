package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of docs/launcher.md as they are printed there, with {@code bin/resiliency} and the jar that it starts. A
 * {@code java} of its own replaces {@code train.jar} by the program of that document, and an {@code srun} starts two tasks.
 */
@Timeout(240)
class DocumentedCommandsIT {
    private static final Path DOCUMENT = Path.of("../docs/launcher.md");
    private static final Path SCRIPT = Path.of("bin/resiliency").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();
    private String document = "";
    private String port = "";

    @BeforeEach
    void prepare() throws Exception {
        document = Files.readString(DOCUMENT);
        port = Integer.toString(ProcessJob.freePort());
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path bin = Files.createDirectory(directory.resolve("bin"));
        writeScript(bin.resolve("resiliency"), "exec '%s' \"$@\"".formatted(SCRIPT));
        writeScript(bin.resolve("java"), """
                [[ "$*" == "-jar train.jar" ]] || exec '%s' "$@"
                exec '%s' -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' Train
                """.formatted(
                        java, java, directory + ":" + System.getProperty("java.class.path")));
        writeScript(bin.resolve("srun"), """
                shift
                for task in 0 1; do SLURM_PROCID=$task SLURM_LOCALID=$task SLURM_NTASKS=2 "$@" & done
                wait
                """);
        Path program = Files.writeString(
                directory.resolve("Train.java"),
                matches("(?ms)^```java\\n(.*?)^```$").get(0));
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

    private static void writeScript(Path file, String text) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private List<String> matches(String pattern) {
        return Pattern.compile(pattern)
                .matcher(document)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @AfterEach
    void endAll() {
        for (Process process : started) {
            List<ProcessHandle> family = process.descendants().toList();
            process.destroyForcibly();
            family.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private Command start(String command) throws IOException {
        Path output = directory.resolve("output-" + started.size());
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command.replace("29500", port))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
        builder.environment().merge("PATH", directory.resolve("bin").toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        started.add(process);
        return new Command(process, output);
    }

    private record Command(Process process, Path file) {
        String output() {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        void awaitOutput(String text) {
            await().atMost(LIMIT).untilAsserted(() -> assertThat(output()).contains(text));
        }

        void killProgram() {
            Stream<ProcessHandle> family = process.descendants();
            family.filter(each -> each.info().commandLine().orElse("").endsWith(" Train"))
                    .forEach(ProcessHandle::destroyForcibly);
        }

        int awaitExit() throws InterruptedException {
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as(output())
                    .isTrue();
            return process.exitValue();
        }
    }

    @Tag("full")
    @Test
    void killedProgramComesBack() throws Exception {
        start(matches("(?m)^(resiliency store .*)$").get(0)).awaitOutput("Store listens");
        List<String> ranks = matches("(?m)^(RANK=.* resiliency supervise .*)$");
        assertThat(ranks).hasSize(2);
        Command zero = start(ranks.get(0));
        Command one = start(ranks.get(1));
        zero.awaitOutput("FOUNDED in a world of 2");

        one.killProgram();
        zero.awaitOutput("SURVIVED in a world of 1");
        one.awaitOutput("JOINED in a world of 2");
        assertThat(one.output())
                .contains("[supervisor of rank 1]", "was ended by SIGKILL", "restart 1 of 10 within 1h");

        assertThat(zero.awaitExit()).as(zero.output()).isZero();
        assertThat(one.awaitExit()).as(one.output()).isZero();
        assertThat(one.output()).contains("completed; exit code 0");
    }

    @Tag("full")
    @Test
    void agentsOfOneNodeAndOfTwoRunTheirRanks() throws Exception {
        List<String> commands = matches("(?m)^(resiliency run .*)$");
        assertThat(commands).hasSize(3);
        Command alone = start(commands.get(0));
        alone.awaitOutput("[rank 1] FOUNDED in a world of 2");
        alone.killProgram();
        alone.awaitOutput("restart 2 of 10 within 1h");
        assertThat(alone.awaitExit()).as(alone.output()).isZero();

        Command zero = start(commands.get(1));
        Command one = start(commands.get(2));
        assertThat(zero.awaitExit()).as(zero.output()).isZero();
        assertThat(one.awaitExit()).as(one.output()).isZero();
        assertThat(one.output()).contains("[rank 3] FOUNDED in a world of 4", "[rank 3] completed");
    }

    @Tag("full")
    @Test
    void recipesForSchedulersRunTheirRanks() throws Exception {
        start(matches("(?m)^(resiliency store .*)$").get(0)).awaitOutput("Store listens");
        String variables = "export MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 WORLD_SIZE=2 RESILIENCY_JOB_ID=";
        Command slurm = start(variables + "slurm; " + matches("(?m)^(srun .*)$").get(0));
        String array = matches("(?m)^command: \\[(.*)]$").get(0);
        String command = array.replaceAll("\", \"", "\" \"").replace("$", "\\$").replace("/train.jar", "train.jar");
        Command zero = start(variables + "kubernetes JOB_COMPLETION_INDEX=0; " + command);
        Command one = start(variables + "kubernetes JOB_COMPLETION_INDEX=1; " + command);

        assertThat(slurm.awaitExit()).as(slurm.output()).isZero();
        assertThat(slurm.output()).contains("FOUNDED in a world of 2", "[supervisor of rank 1]");
        assertThat(zero.awaitExit()).as(zero.output()).isZero();
        assertThat(one.awaitExit()).as(one.output()).isZero();
        assertThat(one.output()).contains("FOUNDED in a world of 2");
    }

    @Test
    void otherCommandsDoWhatTheySay() throws Exception {
        List<String> commands = matches("(?m)^((?:resiliency supervise|source) .*|resiliency doctor.*)$");
        assertThat(commands).hasSize(5);
        for (String command : commands) {
            Command run = start(command);
            assertThat(run.awaitExit()).as(command + "\n" + run.output()).isZero();
        }
        Command bare = start("resiliency --version");
        assertThat(bare.awaitExit()).isZero();
        assertThat(bare.output()).containsPattern("^resiliency \\d+\\.\\d+");
    }

    @Test
    void scriptSaysWhatToDoIfTheJarIsMissing() throws Exception {
        Command run = start("RESILIENCY_LAUNCHER_JAR=/nowhere/resiliency-launcher.jar resiliency --version");

        assertThat(run.awaitExit()).isEqualTo(1);
        assertThat(run.output())
                .contains("/nowhere/resiliency-launcher.jar is missing: build it with", "mvn -B package");
    }
}
