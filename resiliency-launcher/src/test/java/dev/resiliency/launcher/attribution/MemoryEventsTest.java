package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the files of control groups as Linux writes them, at paths of the test. */
class MemoryEventsTest {
    private static final String EVENTS = "low 0\nhigh 0\nmax 412\noom 3\noom_kill %d\noom_group_kill 7\n";
    private static final String OOM_CONTROL = "oom_kill_disable 0\nunder_oom 0\noom_kill %d\n";

    @TempDir
    private Path root;

    private MemoryEvents events(String groups) throws IOException {
        return MemoryEvents.find(Files.writeString(root.resolve("groups"), groups), root);
    }

    private Path write(String file, String text, int kills) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text.formatted(kills));
    }

    @Test
    void groupOfVersionTwoCounts() throws IOException {
        write("job/node/memory.events", EVENTS, 2);
        write("memory.events", EVENTS, 9);

        assertThat(events("0::/job/node\n").kills()).isEqualTo(2);
    }

    @Test
    void groupThatAContainerSeesAsTheRootCounts() throws IOException {
        write("memory.events", EVENTS, 2);

        assertThat(events("0::/system.slice/docker-4f.scope\n").kills()).isEqualTo(2);
    }

    @Test
    void groupOfVersionOneCountsBesideAVersionTwoWithoutMemory() throws IOException {
        write("memory/job/memory.oom_control", OOM_CONTROL, 1);

        assertThat(events("9:name=systemd:/\n4:memory:/job\n3:cpuset:/\n0::/\n").kills())
                .isEqualTo(1);
    }

    @Test
    void counterIsReadAgain() throws IOException {
        write("job/memory.events", EVENTS, 0);
        MemoryEvents events = events("0::/job\n");
        assertThat(events.kills()).isZero();

        write("job/memory.events", EVENTS, 3);
        assertThat(events.kills()).isEqualTo(3);
    }

    @Test
    void groupThatIsGoneOrUnknownCountsNothing() throws IOException {
        Path file = write("job/memory.events", EVENTS, 3);
        MemoryEvents events = events("0::/job\n");
        Files.delete(file);

        assertThat(events.kills()).isZero();
        assertThat(MemoryEvents.find(root.resolve("none"), root).kills()).isZero();
    }
}
