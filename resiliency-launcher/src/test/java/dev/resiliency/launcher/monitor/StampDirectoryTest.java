package dev.resiliency.launcher.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.resiliency.monitor.spi.StampFile;
import dev.resiliency.store.spi.guard.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

    /** While agents of several nodes end and start on one host, one looks at what another one deletes. */
    @Test
    void nothingIsCreatedInADirectoryThatAnotherAgentDeletes() throws Exception {
        Path halfDeleted = all.child("half-deleted").path();

        takeLeft(JOB);

        assertThat(halfDeleted).isEmptyDirectory();
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> all.existing("deleted"));
        assertThat(all.path().resolve("deleted")).doesNotExist();
    }

    @Test
    void agentsOfAllNodesTakeEachItsOwnAtTheSameTime() throws Exception {
        ExecutorService agents = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 50; round++) {
                for (int node = 0; node < 4; node++) {
                    killed("ended-" + node, JOB + node);
                }
                List<Callable<Void>> starts = new ArrayList<>();
                for (int node = 0; node < 4; node++) {
                    String name = JOB + node;
                    starts.add(() -> {
                        StampDirectory.takeLeft(all, name, "own"::equals, stamps -> {});
                        return null;
                    });
                }
                for (Future<Void> start : agents.invokeAll(starts)) {
                    start.get();
                }
                assertThat(all.path()).isEmptyDirectory();
            }
        } finally {
            agents.shutdown();
        }
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
