package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.examples.job.DocumentedProgram;
import dev.resiliency.examples.job.Script;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what docs/elastic-example.md says: compiles its program, runs its commands as they are
 * printed there, and kills ranks. A {@code java} of its own replaces the jars by the class path of the tests.
 */
class ElasticExampleIT {
    private static final Path DOCUMENT = Documents.DOCS.resolve("elastic-example.md");
    private static final String STEPS = "int STEPS = 2000;";
    /** More than a job makes in this test. */
    private static final int MANY_STEPS = 1_000_000;

    private static final int LAST_STEPS = MANY_STEPS - 20;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();
    private String port;
    private String serverCommand;
    private List<String> rankCommands;

    @BeforeEach
    void prepare() throws Exception {
        String document = Documents.read(DOCUMENT);
        port = Integer.toString(ProcessJob.freePort());
        serverCommand = command(document, "java -Xmx256m -jar .*").get(0);
        rankCommands = command(document, "RANK=.*");
        assertThat(rankCommands).hasSize(3);

        String program = block("java", "class Train ");
        assertThat(program).contains(STEPS);
        DocumentedProgram.compile("Train", program.replace(STEPS, "int STEPS = " + MANY_STEPS + ";"), directory);
        writeScript("keep-running.sh", block("bash", "keep-running.sh COMMAND"));
        Files.createDirectory(directory.resolve("bin"));
        writeScript("bin/java", """
                #!/usr/bin/env bash
                command="$*"
                case "$command" in
                  *"-jar resiliency-store-server.jar"*) main=dev.resiliency.store.tcp.internal.server.StoreServerMain ;;
                  *"-jar target/train.jar") main=Train ;;
                  *) echo "no such jar: $*" >&2; exit 2 ;;
                esac
                exec '%s' -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \\
                  -cp '%s' $main ${command#*.jar}
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        directory + ":" + System.getProperty("java.class.path")));
    }

    private List<String> command(String document, String pattern) {
        return Pattern.compile("(?m)^" + pattern + "$")
                .matcher(document)
                .results()
                .map(MatchResult::group)
                .map(line -> line.replace("29500", port))
                .toList();
    }

    private static String block(String language, String text) {
        return Documents.blocks(DOCUMENT, language).stream()
                .filter(block -> block.contains(text))
                .findFirst()
                .orElseThrow();
    }

    private void writeScript(String name, String text) throws IOException {
        Path script = Files.writeString(directory.resolve(name), text);
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void endAll() {
        for (Process process : started) {
            List<ProcessHandle> family = process.descendants().toList();
            process.destroyForcibly();
            family.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private Loop start(String command, String name) throws IOException {
        Script loop = new Script(Files.createDirectory(directory.resolve(name)), "/bin/bash", "-c")
                .with("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = loop.start("cd '%s' && exec env %s".formatted(directory, command));
        started.add(process);
        return new Loop(loop, process);
    }

    /** A program that starts another one again and again. */
    private record Loop(Script script, Process process) {
        String output() {
            return script.output();
        }

        void awaitOutput(String text) {
            script.awaitOutput(process, text);
        }

        /** Kills the rank that the loop runs. */
        void killRank() {
            process.children().forEach(ProcessHandle::destroyForcibly);
        }

        int awaitExit() throws InterruptedException {
            return script.exitCode(process);
        }
    }

    @Tag("full")
    @Test
    void ranksDieAndComeBackUntilTheJobIsComplete() throws Exception {
        Loop server = start(serverCommand, "server");
        server.awaitOutput("Store listens");
        List<Loop> ranks = new ArrayList<>();
        for (String command : rankCommands) {
            ranks.add(start(command, "rank-" + ranks.size()));
        }
        Loop zero = ranks.get(0);
        Loop one = ranks.get(1);
        Loop two = ranks.get(2);
        zero.awaitOutput("FOUNDED as rank 0 of 3 in generation 0, iteration 0, after step 0");

        zero.killRank();
        one.awaitOutput("SURVIVED as rank 0 of 2 in generation 0, iteration 1");
        zero.awaitOutput("JOINED as rank 2 of 3 in generation 0, iteration 2");
        two.awaitOutput("SURVIVED as rank 1 of 3 in generation 0, iteration 2");

        Loop fourth = start(rankCommands.get(1), "fourth");
        fourth.awaitOutput("JOINED as rank 3 of 4 in generation 0, iteration 3");
        Loop fifth = start(rankCommands.get(1), "fifth");
        fifth.awaitOutput("waits to join the running job");
        one.killRank();
        fifth.awaitOutput("JOINED as rank 3 of 4 in generation 0, iteration 4");
        fourth.awaitOutput("SURVIVED as rank 2 of 4 in generation 0, iteration 4");

        List.of(zero, one, two, fourth, fifth).forEach(Loop::killRank);
        Files.writeString(directory.resolve("train.checkpoint"), LAST_STEPS + " 3.0");
        for (Loop loop : List.of(zero, one, two, fourth, fifth)) {
            assertThat(loop.awaitExit()).as(loop.output()).isZero();
            assertThat(loop.output()).contains("completed");
        }
        assertThat(zero.output())
                .containsPattern("FOUNDED as rank 0 of [34] in generation 1, iteration 100, after step " + LAST_STEPS)
                .contains("completed: slope 3.0000");

        Loop late = start(rankCommands.get(0), "late");
        assertThat(late.awaitExit()).isZero();
        assertThat(late.output()).contains("completed by others", "the job line-1 is complete");
    }

    @Test
    void whoEndsTheLoopEndsTheRank() throws Exception {
        start(serverCommand, "server").awaitOutput("Store listens");
        Loop alone = start(rankCommands.get(0), "rank-0");
        await("the rank")
                .atMost(Patience.stretch(LIMIT))
                .until(() -> alone.process().children().findAny().isPresent());
        List<ProcessHandle> family = alone.process().descendants().toList();

        alone.process().destroy();

        assertThat(alone.awaitExit()).isEqualTo(143);
        await("the end of the rank")
                .atMost(Patience.stretch(LIMIT))
                .until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
    }
}
