package dev.resiliency.launcher.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StampDirectoryTest {
    private static final String JOB = "job\nnode";

    @TempDir
    private Path parent;

    private PrivateDirectory all;
    private final List<Path> left = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        all = PrivateDirectory.open(parent.resolve("stamps"));
    }

    private StampDirectory agent(String directory, String name) throws IOException {
        return StampDirectory.open(all.child(directory), name);
    }

    private void takeLeft(String name) throws IOException {
        StampDirectory.takeLeft(all, name, "own"::equals, stamps -> left.add(stamps.path()));
    }

    /** What an agent leaves that was killed. */
    private Path killed(String directory, String name) throws IOException {
        PrivateDirectory own = all.child(directory);
        Files.writeString(own.resolve("owner"), name);
        StampFile.create(own.resolve("p0-0.stamps"), 0);
        Files.createFile(own.resolve("p0-0.stamps.control"));
        return own.path();
    }

    @Test
    void filesOfAnAgentOfTheSameJobAndNodeThatLivesAreLeftAlone() throws Exception {
        try (StampDirectory first = agent("own", JOB);
                StampDirectory second = agent("second", JOB)) {
            Path one = first.create(0, 0).path();
            Path other = second.create(0, 0).path();

            takeLeft(JOB);

            assertThat(left).isEmpty();
            assertThat(one).exists();
            assertThat(other).exists();
        }
        assertThat(all.path()).isDirectoryNotContaining("glob:**own");
    }

    @Test
    void filesOfAnAgentThatHasEndedAreTakenByTheNextOfItsJobAndNode() throws Exception {
        Path ended = killed("ended", JOB);
        Path other = killed("other", "job\nanother node");

        takeLeft(JOB);

        assertThat(left).containsExactly(ended.resolve("p0-0.stamps"));
        assertThat(ended).doesNotExist();
        assertThat(other.resolve("p0-0.stamps")).exists();
    }

    @Test
    void nothingIsDeletedThatNoAgentHasCreated() throws Exception {
        Path ended = killed("ended", JOB);
        Path foreign = Files.writeString(ended.resolve("model.bin"), "precious");
        Path victim = Files.writeString(parent.resolve("victim"), "precious");
        Path link = Files.createSymbolicLink(ended.resolve("p1-0.stamps"), victim);

        takeLeft(JOB);

        assertThat(foreign).hasContent("precious");
        assertThat(victim).hasContent("precious");
        assertThat(link).isSymbolicLink();
        assertThat(ended.resolve("p0-0.stamps")).doesNotExist();
    }

    @Test
    void directoryThatIsALinkIsLeftAlone() throws Exception {
        Path checkpoints = Files.createDirectory(parent.resolve("checkpoints"));
        Path checkpoint = Files.writeString(checkpoints.resolve("owner"), JOB);
        Files.createSymbolicLink(all.resolve("ended"), checkpoints);

        takeLeft(JOB);

        assertThat(checkpoint).hasContent(JOB);
        assertThatIOException().isThrownBy(() -> agent("ended", JOB)).withMessageContaining("is a symbolic link");
    }

    @Test
    void directoryOfAnAgentIsGoneWhenItEnds() throws Exception {
        StampDirectory agent = agent("own", JOB);
        agent.create(0, 0).delete();
        agent.close();

        assertThat(all.path()).isEmptyDirectory();
    }
}
