package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.health.Finding.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks of storage and of an executable, with real processes. */
class StorageCheckTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir
    private Path directory;

    private static void assertFinding(Finding finding, Severity severity, String text) {
        assertThat(finding.text()).contains(text);
        assertThat(finding.severity()).as(finding.text()).isEqualTo(severity);
    }

    /** A process that opens it waits until another one writes. */
    private Path fifo(String name) throws Exception {
        Path file = directory.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        return file;
    }

    @Test
    void fileIsReadDirectoryIsListedAndAnythingElseMustExist() throws Exception {
        Path file = Files.writeString(directory.resolve("a file; $(touch x)"), "text");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));

        for (Path good : List.of(file, link, directory, Path.of("/dev/null"), fifo("fifo"))) {
            assertFinding(StorageCheck.ofPath(good, LIMIT).run(), Severity.OK, "it can be read");
        }
        for (Path bad : List.of(dangling, directory.resolve("none"))) {
            assertFinding(StorageCheck.ofPath(bad, LIMIT).run(), Severity.FAILURE, "no such file or directory");
        }
        assertThat(directory.resolve("x")).doesNotExist();
    }

    @Test
    void unreadableFileIsAFailure() throws Exception {
        // A process cannot read the memory of none, not even as root.
        Path file = Path.of("/proc/self/mem");

        assertFinding(StorageCheck.ofPath(file, LIMIT).run(), Severity.FAILURE, "head: error reading");
    }

    @Test
    void serverOfAMountIsAsked() throws Exception {
        assertFinding(StorageCheck.ofMount(directory, LIMIT).run(), Severity.OK, "its server answers");
        assertFinding(StorageCheck.ofMount(directory.resolve("none"), LIMIT).run(), Severity.FAILURE, "No such file");
    }

    @Test
    void lustreJudgesItself() throws Exception {
        Path healthy = Files.writeString(directory.resolve("healthy"), "healthy\n");
        Path not = Files.writeString(directory.resolve("not"), "NOT HEALTHY\ndevice lustre-OST0001\n");

        assertFinding(StorageCheck.ofLustre(healthy, LIMIT).run(), Severity.OK, "it is healthy");
        assertFinding(StorageCheck.ofLustre(not, LIMIT).run(), Severity.FAILURE, "it says: NOT HEALTHY");
        assertFinding(StorageCheck.ofLustre(fifo("hangs"), SHORT).run(), Severity.FAILURE, "not answered within 200ms");
    }

    @Test
    void distributedMountsAreFoundAndTheFirstThatFailsIsNamed() throws Exception {
        Path good = Files.createDirectory(directory.resolve("with space"));
        Path mounts = Files.writeString(directory.resolve("mounts"), """
                /dev/vda / ext4 rw 0 0
                server:/data %s nfs4 rw 0 0
                10.0.0.1@o2ib:/scratch %s lustre rw 0 0
                """.formatted(
                        good.toString().replace(" ", "\\040"), directory.resolve("none")));
        Path none = directory.resolve("no-lustre");

        assertThat(Mounts.distributed(mounts)).containsExactly(good, directory.resolve("none"));
        assertFinding(
                new DistributedStorageCheck(none, mounts, LIMIT).run(),
                Severity.FAILURE,
                "mount " + directory.resolve("none") + ": stat: cannot read");
        assertFinding(
                new DistributedStorageCheck(none, Path.of("/dev/null"), LIMIT).run(), Severity.OK, "there is none");
        assertFinding(
                new DistributedStorageCheck(fifo("lustre"), mounts, SHORT).run(), Severity.FAILURE, "Lustre: it has");
    }

    @Test
    void interruptEndsAProbeThatHangsWithItsChildren() throws Exception {
        Path pids = directory.resolve("pids");
        Probe probe = new Probe(List.of("sh", "-c", "sleep 1000 & echo $$ $! > " + pids + "; wait"));
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread thread = new Thread(() -> failure.complete(catchThrowable(() -> probe.run(LIMIT))));
        thread.start();
        await().atMost(LIMIT)
                .until(() -> Files.exists(pids) && Files.readString(pids).endsWith("\n"));

        thread.interrupt();

        assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        for (String pid : Files.readString(pids).strip().split(" ", -1)) {
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresent(process -> assertThat(process.onExit()).succeedsWithin(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void resultHasBothStreamsAndTheCode() throws Exception {
        assertThat(new Probe(List.of("sh", "-c", "echo out; echo err >&2; exit 3")).run(LIMIT))
                .isEqualTo(new Probe.Result(OptionalInt.of(3), "out\nerr"));
    }

    private Finding program(String script, Duration limit) throws Exception {
        Path file = Files.writeString(directory.resolve("check"), "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return new ProgramCheck(List.of(file.toString(), "--no-slurm"), limit).run();
    }

    @Test
    void executableDecides() throws Exception {
        assertFinding(program("[ \"$1\" = --no-slurm ]", LIMIT), Severity.OK, "has passed");
        assertFinding(program("echo '{\"fail_count\": 0}'", LIMIT), Severity.OK, "has passed");
        assertFinding(program("echo '{\"fail_count\": 2}'", LIMIT), Severity.FAILURE, "reports: {\"fail_count\": 2}");
        assertFinding(program("echo '{\"fail_count\"'", LIMIT), Severity.FAILURE, "reports: {\"fail_count\"");
        assertFinding(
                program("printf 'gpu 3\\n\\033[31mis lost' >&2; exit 7", LIMIT),
                Severity.FAILURE,
                "exited with code 7: gpu 3 \\u001b[31mis lost");
        assertFinding(program("exec sleep 1000", SHORT), Severity.WARNING, "has not ended within 200ms");
        assertFinding(
                new ProgramCheck(List.of(directory.resolve("none").toString()), LIMIT).run(),
                Severity.FAILURE,
                "cannot be run");
    }

    @Test
    void memoryAndDiskAreComparedWithWhatIsNeeded() throws Exception {
        Path memory = Files.writeString(directory.resolve("meminfo"), """
                MemTotal:       8000000 kB
                MemAvailable:   2048000 kB
                """);

        assertFinding(new MemoryCheck(memory, 2000).run(), Severity.OK, "2000 MiB");
        assertFinding(new MemoryCheck(memory, 2001).run(), Severity.FAILURE, "only 2000 MiB are available, 2001 are");
        assertFinding(new MemoryCheck(directory.resolve("none"), 1).run(), Severity.WARNING, "cannot be read");
        assertFinding(new DiskCheck(directory, 1, LIMIT).run(), Severity.OK, "MiB are free");
        assertFinding(new DiskCheck(directory, 1L << 50, LIMIT).run(), Severity.FAILURE, "are needed");
        assertFinding(new DiskCheck(directory.resolve("none"), 1, LIMIT).run(), Severity.FAILURE, "No such file");
    }
}
