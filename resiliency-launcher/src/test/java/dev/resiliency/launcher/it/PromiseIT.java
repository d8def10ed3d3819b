package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Survivors that wait for a process which an agent has promised, on two nodes with a rank each. */
@Tag("full")
class PromiseIT {
    @TempDir
    private Path directory;

    private String endpoint = "";
    private Path end = Path.of("");

    @BeforeEach
    void chooseAddress() throws IOException {
        endpoint = "127.0.0.1:" + ProcessJob.freePort();
        end = directory.resolve("end");
    }

    private Launched agent(int node, String backoff) throws IOException {
        return Launched.program(
                directory,
                "node" + node,
                PatientProgram.class,
                end,
                "--nnodes",
                "2",
                "--rdzv-endpoint",
                endpoint,
                "--local-addr",
                "127.0.0." + (node + 1),
                "--lease",
                "4s",
                "--backoff",
                backoff);
    }

    @Test
    void survivorsWaitForThePromisedProcess() throws Exception {
        try (Launched zero = agent(0, "0:0");
                Launched one = agent(1, "3s:3s")) {
            zero.awaitLine("FOUNDED in a world of 2, generation 0, iteration 0");
            one.awaitLine("FOUNDED in a world of 2, generation 0, iteration 0");

            one.rank(1).destroyForcibly();

            one.awaitLine("JOINED in a world of 2, generation 0, iteration 1");
            zero.awaitLine("SURVIVED in a world of 2, generation 0, iteration 1");
            Files.createFile(end);
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(zero.process().lines()).noneMatch(line -> line.contains("in a world of 1"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP", "TERM"})
    void survivorsGoOnWithoutThePromiseOfAnAgentThatIsGone(String signal) throws Exception {
        try (Launched zero = agent(0, "0:0");
                Launched one = agent(1, "1h:1h")) {
            zero.awaitLine("FOUNDED in a world of 2, generation 0, iteration 0");
            one.awaitLine("FOUNDED in a world of 2, generation 0, iteration 0");
            one.rank(1).destroyForcibly();
            one.awaitLog("restart 1 of 10 within 1h, in 1h");

            one.process().signal(signal);

            zero.awaitLine("SURVIVED in a world of 1, generation 0, iteration 1");
            Files.createFile(end);
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
        }
    }
}
