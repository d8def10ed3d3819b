package dev.resiliency.examples.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that uses PyTorch as scripts of Python do, under an agent. */
class TorchScriptIT {
    @TempDir
    private Path directory;

    @Test
    void processGroupIsMadeAgainInTheNextCycle() throws Exception {
        Loader.load(torch.class); // unpacks the native libraries, before two processes do so at once
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try (ProcessJob agent = ProcessJob.builder(ResiliencyCommand.class, directory)
                .javaOptions("-Xmx256m")
                .arguments("run --nproc-per-node 2 --restart-policy hard --backoff 0:1s --max-restarts 1".split(" "))
                .arguments("--run-dir", directory.resolve("run").toString(), "--", java)
                .arguments("-cp", System.getProperty("java.class.path"), TorchScript.class.getName())
                .arguments(Integer.toString(ProcessJob.freePort()))
                .start()) {
            RankProcess process = agent.rank(0);

            assertThat(process.awaitExit()).as(process::log).isZero();
            assertThat(process.lines())
                    .contains(
                            "[rank 0] cycle 0: the sum is 2",
                            "[rank 1] cycle 0: the sum is 2",
                            "[rank 0] cycle 1: the sum is 2",
                            "[rank 1] cycle 1: the sum is 2");
        }
    }
}
