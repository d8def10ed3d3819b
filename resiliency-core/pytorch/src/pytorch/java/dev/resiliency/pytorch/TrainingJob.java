package dev.resiliency.pytorch;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts jobs of {@link TrainingProgram}. */
final class TrainingJob {
    static final long NEVER = Long.MIN_VALUE;

    private TrainingJob() {}

    /** Returns the settings of a job on the loopback interface. */
    static ProcessJob.Builder of(int worldSize, Path directory) throws IOException {
        return ProcessJob.builder(TrainingProgram.class, Files.createDirectories(directory))
                .limit(Duration.ofSeconds(150)) // libtorch alone takes 30 s to load beside several builds
                .worldSize(worldSize)
                .environment("GLOO_SOCKET_IFNAME", "lo")
                .environment("OMP_NUM_THREADS", "1") // there are more ranks than cores
                .javaOptions(
                        "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                        "-Dorg.bytedeco.javacpp.cachedir=" + Path.of("target", "javacpp").toAbsolutePath());
    }

    /** Returns the class path of this JVM without that optional library. */
    static String classPathWithoutJna() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(element -> !Path.of(element).getFileName().toString().startsWith("jna-"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns when a rank printed an event first; {@link #NEVER} if it has not. */
    static long nanos(RankProcess rank, String event) {
        return rank.lines().stream()
                .filter(line -> line.startsWith(event + " "))
                .mapToLong(line -> Long.parseLong(line.substring(event.length() + 1)))
                .findFirst()
                .orElse(NEVER);
    }
}
