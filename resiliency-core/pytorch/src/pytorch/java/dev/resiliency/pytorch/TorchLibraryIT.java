package dev.resiliency.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that fills the cache of JavaCPP, in processes that start together, as ranks do. */
class TorchLibraryIT {
    @Tag("full")
    @Test
    void processesThatStartTogetherWithAnEmptyCacheLoadAll(@TempDir Path directory) throws Exception {
        Path cache = Files.createDirectory(directory.resolve("cache"));
        try (ProcessJob job = ProcessJob.builder(TorchLibrary.class, directory)
                .limit(Duration.ofSeconds(150)) // libtorch alone takes 30 s to load beside several builds
                .worldSize(3)
                .javaOptions("-Dorg.bytedeco.javacpp.cachedir=" + cache)
                .start()) {
            for (RankProcess process : job.ranks()) {
                assertThat(process.awaitExit()).as(process::log).isZero();
                assertThat(process.lines()).as(process::log).containsExactly("libtorch is unpacked in " + cache);
                assertThat(process.log()).contains("start it with -Dorg.bytedeco.javacpp.maxPhysicalBytes=0");
            }
        }
    }

    @Test
    void nothingIsWarnedOfWithTheSettingsOfTheDocument(@TempDir Path directory) throws Exception {
        Path cache = Files.createDirectories(Path.of("target", "javacpp").toAbsolutePath());
        try (ProcessJob job = ProcessJob.builder(TorchLibrary.class, directory)
                .limit(Duration.ofSeconds(150))
                .javaOptions(
                        "-Dorg.bytedeco.javacpp.cachedir=" + cache, "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0")
                .start()) {
            RankProcess process = job.rank(0);

            assertThat(process.awaitExit()).as(process::log).isZero();
            assertThat(process.lines()).containsExactly("libtorch is unpacked in " + cache);
            assertThat(process.log()).doesNotContain("maxPhysicalBytes");
        }
    }
}
