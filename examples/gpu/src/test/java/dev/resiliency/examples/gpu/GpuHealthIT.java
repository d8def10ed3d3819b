package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.Script;
import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node agent whose node has GPUs, which {@code resiliency-nccl} checks. Libraries that are compiled with gcc stand in for
 * NVIDIA's: see {@code native-shim} among the tests of {@code resiliency-nccl}.
 */
class GpuHealthIT {
    private static final Path SHIM = Path.of("../../resiliency-nccl/src/test/resources/native-shim/build.sh");

    @TempDir
    private Path directory;

    private Path libraries = Path.of("");

    @BeforeEach
    void compileLibraries() throws Exception {
        libraries = directory.resolve("libraries");
        new Script(directory, "/bin/sh", SHIM.toString()).succeed(libraries.toString());
    }

    /** Sets what the driver says from now on, as in {@code recovery=2}. */
    private void set(String line) throws IOException {
        Path next = Files.writeString(libraries.resolve("control.next"), line + "\n");
        Files.move(next, libraries.resolve("control"), StandardCopyOption.ATOMIC_MOVE);
    }

    private ProcessJob agent(Path ready) throws IOException {
        return ProcessJob.builder(ResiliencyCommand.class, Files.createDirectory(directory.resolve("agent")))
                .javaOptions("-Xmx128m")
                .environment("RESILIENCY_LIBCUDA", library("libcuda.so.1"))
                .environment("RESILIENCY_LIBCUDART", library("libcudart.so.13"))
                .environment("RESILIENCY_LIBNVIDIA_ML", library("libnvidia-ml.so.1"))
                .arguments("run", "--run-dir", directory.resolve("run").toString())
                .arguments("--gpu-health-check-classpath", System.getProperty("java.class.path"))
                .arguments("--node-name node --health-check-interval 300ms --health-recheck-interval 300ms".split(" "))
                .arguments("--", "sh", "-c", ": > '%s'; exec sleep 1000".formatted(ready))
                .start();
    }

    private String library(String name) {
        return libraries.resolve(name).toString();
    }

    private static void awaitLog(RankProcess agent, String text) throws InterruptedException {
        agent.awaitThat("logs '" + text + "'", () -> agent.log().contains(text));
    }

    @Test
    void nodeWaitsForItsGpuAndLeavesWhenOneFails() throws Exception {
        Path ready = directory.resolve("ready");
        set("recovery=1");
        try (ProcessJob job = agent(ready)) {
            RankProcess agent = job.rank(0);
            awaitLog(
                    agent,
                    "this node is unhealthy, so it does not take part: GPUs and links: GPU 0000:01:00.0 (Shim GPU 0):"
                            + " NVML's recovery action is 1 (reset the GPU)");
            assertThat(ready).doesNotExist();

            set("recovery=0");
            agent.awaitThat("has started its rank", () -> Files.exists(ready));

            set("xid=79");
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(94);
            assertThat(agent.log()).contains("the driver has reported XID [79]");
        }
    }
}
