package dev.resiliency.launcher.gpu;

import dev.resiliency.launcher.process.Programs;
import dev.resiliency.store.spi.guard.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Asks {@code nvidia-smi}, a program that comes with NVIDIA's driver. As a process of its own, it holds no memory of the GPUs,
 * and a driver that hangs does not stop this one.
 */
public final class NvidiaSmi implements GpuMemory {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** Of a GPU with a fabric; {@code N/A} or zeros if it belongs to no domain. */
    private static final Pattern DOMAIN =
            Pattern.compile("(?m)^\\s*ClusterUUID\\s*:\\s*([0-9a-fA-F-]*[1-9a-fA-F][0-9a-fA-F-]*)\\s*$");

    private final Path program;

    private NvidiaSmi(Path program) {
        this.program = program;
    }

    /**
     * Finds the program; empty if this host has none.
     *
     * @param path the value of {@code PATH}
     */
    public static Optional<NvidiaSmi> find(String path) {
        return Programs.find(path, "nvidia-smi").map(NvidiaSmi::new);
    }

    /**
     * Returns the UUID of the NVLink domain to which the GPUs of this host belong; empty if they belong to none.
     *
     * @throws IOException if the program fails
     */
    public Optional<String> domain() throws IOException, InterruptedException {
        return DOMAIN.matcher(output("-q"))
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst();
    }

    @Override
    public List<Long> usedMebibytes() throws IOException, InterruptedException {
        List<Long> used = new ArrayList<>();
        for (String line : output("--query-gpu=memory.used", "--format=csv,noheader,nounits")
                .lines()
                .toList()) {
            try {
                used.add(Long.parseLong(line.trim()));
            } catch (NumberFormatException e) {
                throw new IOException("nvidia-smi reports '%s' as the memory in use".formatted(line.trim()), e);
            }
        }
        return used;
    }

    /** A file receives the output, so that no thread has to wait for a program that hangs. */
    private String output(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(options));
        Path file = Files.createTempFile("nvidia-smi", ".txt");
        try {
            Process process = Processes.start(
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(file.toFile()));
            try {
                if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IOException("nvidia-smi has not ended within " + LIMIT.toSeconds() + " s");
                }
            } finally {
                process.destroyForcibly();
            }
            String output = Files.readString(file);
            if (process.exitValue() != 0) {
                throw new IOException("nvidia-smi failed: " + output.strip());
            }
            return output;
        } finally {
            Files.delete(file);
        }
    }
}
