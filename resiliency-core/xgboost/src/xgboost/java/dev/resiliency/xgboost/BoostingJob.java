package dev.resiliency.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts jobs of {@link BoostingProgram}, and reads what they print. */
final class BoostingJob {
    private BoostingJob() {}

    static ProcessJob.Builder of(int worldSize, Path directory) throws IOException {
        return ProcessJob.builder(BoostingProgram.class, Files.createDirectories(directory))
                .limit(Duration.ofSeconds(150)) // the native library alone takes long to load beside several builds
                .worldSize(worldSize);
    }

    /** Returns the class path of this JVM without that optional library. */
    static String classPathWithoutJna() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(element -> !Path.of(element).getFileName().toString().startsWith("jna-"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Waits for the ranks, and returns the result of all of them. */
    static String awaitResult(List<RankProcess> ranks) throws InterruptedException {
        for (RankProcess rank : ranks) {
            assertThat(rank.awaitExit()).as(() -> logs(ranks)).isZero();
        }
        List<String> results = ranks.stream()
                .flatMap(rank -> rank.lines().stream())
                .filter(line -> line.startsWith("RESULT "))
                .map(line -> line.substring("RESULT ".length()))
                .toList();
        assertThat(results).as(() -> logs(ranks)).hasSameSizeAs(ranks);
        assertThat(results.stream().distinct()).as(() -> logs(ranks)).hasSize(1);
        return results.get(0);
    }

    static String logs(List<RankProcess> ranks) {
        return ranks.stream()
                .map(rank -> rank.log() + "\n" + String.join("\n", rank.lines()))
                .collect(Collectors.joining("\n----\n"));
    }
}
