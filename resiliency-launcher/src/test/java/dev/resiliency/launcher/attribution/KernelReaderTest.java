package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file stands for the device; {@code KernelLogIT} reads a pipe. */
@Timeout(120)
class KernelReaderTest {
    @TempDir
    private Path directory;

    private KernelReader reader(List<String> records) throws IOException {
        return new KernelReader(Files.write(directory.resolve("kmsg"), records));
    }

    @Test
    void notableLinesSinceATimeAreFound() throws Exception {
        KernelReader reader = reader(List.of(
                "4,1,1999999,-;segfault at 1",
                "4,2,2000000,-;segfault at 2",
                "4,3,3000000,-;usb 1-1: new device",
                "4,4,4000000,-;segfault at 4"));

        assertThat(reader.since(Duration.ofSeconds(2))).containsExactly("segfault at 2", "segfault at 4");
        assertThat(reader.since(Duration.ofSeconds(4))).containsExactly("segfault at 4");
        assertThat(reader.since(Duration.ofSeconds(5))).isEmpty();
    }

    @Test
    void latestOfVeryManyAreKept() throws Exception {
        KernelReader reader = reader(IntStream.rangeClosed(1, 201)
                .mapToObj(i -> "4,%d,%d,-;segfault at %d".formatted(i, i, i))
                .toList());

        assertThat(reader.since(Duration.ZERO))
                .hasSize(200)
                .startsWith("segfault at 2")
                .endsWith("segfault at 201");
    }

    @Test
    void logThatCannotBeReadHasNoLines() throws Exception {
        assertThat(new KernelReader(directory.resolve("absent")).since(Duration.ZERO))
                .isEmpty();
        assertThat(new KernelReader(directory).since(Duration.ZERO))
                .as("a directory fails at each read")
                .isEmpty();
    }

    @Test
    void hostHasRunForAsLongAsTheKernelSays() throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime"));
        Duration before = Duration.ofSeconds(Long.parseLong(uptime.substring(0, uptime.indexOf('.'))));

        assertThat(KernelReader.sinceBoot()).isBetween(before, before.plusMinutes(10));
    }
}
