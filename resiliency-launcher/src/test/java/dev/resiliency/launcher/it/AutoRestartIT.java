package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that supervises itself with one line, started in the ways in which Java starts programs. */
class AutoRestartIT {
    private static final String GREETING = "hello,  world";

    @TempDir
    private Path directory;

    private ProcessJob.Builder program(String... arguments) {
        return ProcessJob.builder(SelfSupervised.class, directory)
                .javaOptions("-Dgreeting=" + GREETING)
                .arguments(arguments);
    }

    private static String run(String... arguments) {
        return "RUN %s with %s in %s"
                .formatted(String.join("|", arguments), GREETING, Path.of("").toAbsolutePath());
    }

    @Test
    void programRunsAgainWithTheSameOptionsAndArguments() throws Exception {
        try (ProcessJob job = program("7", "a  b", "", "*", "@c").start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(93);
            assertThat(job.rank(0).lines()).hasSize(3).containsOnly(run("7", "a  b", "", "*", "@c"));
            assertThat(job.rank(0).log()).contains("[supervisor of rank 0]", "exited with code 7", "restart 2 of 2");
        }
    }

    @Test
    void agentsOfTheJvmAreLoadedAgain() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", GreetingAgent.class.getName());
        Path agent = directory.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(agent), manifest).close();

        try (ProcessJob job =
                program("7").javaOptions("-javaagent:" + agent + "=hello").start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(93);
            assertThat(job.rank(0).lines())
                    .filteredOn(line -> !line.startsWith("RUN"))
                    .as("of the supervisor, and of three runs")
                    .hasSize(4)
                    .containsOnly("agent says hello");
        }
    }

    @Test
    void completedProgramCompletesItsSupervisor() throws Exception {
        try (ProcessJob job = program("0").start()) {
            assertThat(job.rank(0).awaitExit()).isZero();
            assertThat(job.rank(0).lines()).containsExactly(run("0"));
        }
    }

    @Test
    void signalReachesTheProgramAndTheSupervisorEndsWithIt() throws Exception {
        try (ProcessJob job = program("wait").start()) {
            job.rank(0).awaitLine("ready");
            job.rank(0).signal("TERM");

            assertThat(job.rank(0).awaitExit()).isEqualTo(143);
            assertThat(job.rank(0).lines()).containsExactly(run("wait"), "ready", "saved");
            assertThat(job.rank(0).family()).isEmpty();
        }
    }

    @Test
    void killedProgramRunsAgain() throws Exception {
        try (ProcessJob job = program("wait").start()) {
            job.rank(0).awaitLine("ready");
            job.rank(0).takeLines();
            job.rank(0).family().stream()
                    .filter(process -> process.pid() != job.rank(0).pid())
                    .forEach(ProcessHandle::destroyForcibly);
            job.rank(0).awaitLine("ready");

            job.rank(0).kill();
            await("the end of the program").until(() -> job.rank(0).family().isEmpty());
        }
    }

    @Test
    void variableSwitchesItOff() throws Exception {
        try (ProcessJob job =
                program("7").environment("RESILIENCY_AUTO_RESTART", "0").start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(7);
            assertThat(job.rank(0).log()).doesNotContain("[supervisor");
        }
        try (ProcessJob job =
                program("7").environment("RESILIENCY_AUTO_RESTART", "off").start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(1);
            assertThat(job.rank(0).log()).contains("RESILIENCY_AUTO_RESTART is 'off': it must be 0 or 1");
        }
    }

    @Test
    void programUnderASupervisorDoesNotSuperviseItself() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                "-Dgreeting=x",
                SelfSupervised.class.getName(),
                "7");
        try (Supervised supervised = Supervised.command(directory, command, "--max-restarts", "1")) {
            assertThat(supervised.awaitExit()).isEqualTo(93);
            assertThat(supervised.process().lines()).hasSize(2);
            assertThat(supervised.log()).contains("restart 1 of 1").doesNotContain("of 2");
        }
    }

    @Test
    void programUnderADebuggerIsNotSupervised() throws Exception {
        try (ProcessJob job = program("7")
                .javaOptions("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0")
                .start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(7);
            assertThat(job.rank(0).log()).contains("runs under a debugger");
        }
    }

    @Test
    void argumentFileIsReadAgain() throws Exception {
        Path file = Files.writeString(directory.resolve("train.args"), """
                -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1
                -Djava.io.tmpdir=%s
                "-Dgreeting=%s"
                -cp %s
                """.formatted(
                        directory, GREETING, System.getProperty("java.class.path")));

        Run run = start("@" + file, SelfSupervised.class.getName(), "7", "a b");

        assertThat(run.exitCode()).isEqualTo(93);
        assertThat(run.lines())
                .filteredOn(line -> line.startsWith("RUN"))
                .hasSize(3)
                .containsOnly(run("7", "a b"));
    }

    @Test
    void programOnTheModulePathRunsAgainThere() throws Exception {
        Path program = Files.createDirectories(directory.resolve("program/com/example"));
        Path main = Files.writeString(program.resolve("Main.java"), """
                package com.example;

                public final class Main {
                    public static void main(String[] arguments) throws Exception {
                        dev.resiliency.launcher.AutoRestart.superviseThisProcess(arguments);
                        System.out.println("RUN in " + Main.class.getModule().getName());
                    }
                }
                """);
        Path module = Files.writeString(
                directory.resolve("program/module-info.java"),
                "module com.example { requires dev.resiliency.launcher; }");
        String modulePath = EmbeddingIT.path();
        Path classes = directory.resolve("classes");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-p",
                                modulePath,
                                "-d",
                                classes.toString(),
                                main.toString(),
                                module.toString()))
                .isZero();

        Run run = start(
                "-Djava.io.tmpdir=" + directory,
                "-p",
                classes + File.pathSeparator + modulePath,
                "-m",
                "com.example/com.example.Main");

        assertThat(run.exitCode()).as(run.lines().toString()).isZero();
        assertThat(run.lines()).contains("RUN in com.example");
    }

    private record Run(int exitCode, List<String> lines) {}

    private Run start(String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()),
                                Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(Patience.stretch(Duration.ofMinutes(1)).toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return new Run(process.exitValue(), Files.readAllLines(output));
    }
}
