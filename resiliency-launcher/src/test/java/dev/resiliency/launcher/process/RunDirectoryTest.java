package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RunDirectoryTest {
    private static final String NOTE = "7-42-0";

    @TempDir
    private Path parent;

    private RunDirectory open() throws IOException {
        return RunDirectory.open(parent.resolve("run"));
    }

    private Path note(String name, String text) throws IOException {
        return Files.writeString(open().directory().orElseThrow().resolve(name), text);
    }

    @Test
    void directoryOfTheSessionIsUsedOnlyIfTheVariableHasAnAbsolutePath() {
        assertThat(RunDirectory.byDefault(Map.of("XDG_RUNTIME_DIR", parent.toString())))
                .isEqualTo(parent.resolve("resiliency"));
        Path otherwise = Path.of(System.getProperty("java.io.tmpdir"), "resiliency-" + System.getProperty("user.name"));
        assertThat(RunDirectory.byDefault(Map.of())).isEqualTo(otherwise);
        assertThat(RunDirectory.byDefault(Map.of("XDG_RUNTIME_DIR", ""))).isEqualTo(otherwise);
        assertThat(RunDirectory.byDefault(Map.of("XDG_RUNTIME_DIR", "target"))).isEqualTo(otherwise);
    }

    @Test
    void noteOfALivingSupervisorStays() throws Exception {
        RunDirectory.Entry entry = open().newEntry();
        entry.write(RunDirectory.NOT_STARTED);

        assertThat(open().endOrphans()).isEmpty();
        assertThat(parent.resolve("run").resolve(entry.mark())).exists();
        entry.delete();
        assertThat(parent.resolve("run")).isEmptyDirectory();
    }

    @Test
    void noteOfASupervisorThatHasEndedIsDeleted() throws Exception {
        ProcessMark here = ProcessMark.ofThisProcess();
        ProcessMark ended = new ProcessMark(here.boot(), here.namespace(), here.pid(), here.ticks() + 1);
        ProcessMark beforeTheBoot = new ProcessMark("0", here.namespace(), here.pid(), here.ticks());
        ProcessMark inAnotherContainer = new ProcessMark(here.boot(), 1, here.pid(), here.ticks() + 1);
        note("7-42-0", ended + " 0 0");
        note(".7-42-1.r1.new", ended + " 0 0");
        note("7-42-2", beforeTheBoot + " 0 0");
        note("7-42-3", inAnotherContainer + " 0 0");
        note("7-42-4", "nonsense");

        assertThat(open().endOrphans()).isEmpty();
        assertThat(open().directory().orElseThrow().files()).containsExactly("7-42-3");
    }

    @Test
    void noteThatItsSupervisorMayStillWriteStays() throws Exception {
        ProcessMark here = ProcessMark.ofThisProcess();
        Path begun = note(".%d-%d-0.r1.new".formatted(here.pid(), here.ticks()), "");
        note(".%d-%d-0.r1.new".formatted(here.pid(), here.ticks() + 1), "");

        assertThat(open().endOrphans()).isEmpty();
        assertThat(parent.resolve("run")).isDirectoryNotContaining("glob:**/*-%d-*".formatted(here.ticks() + 1));
        assertThat(begun).isEmptyFile();
    }

    @Test
    void whatIsNoNoteIsLeftAlone() throws Exception {
        Path victim = Files.writeString(parent.resolve("victim"), "precious");
        Path foreign = note("model.bin", "precious");
        Path link = Files.createSymbolicLink(parent.resolve("run").resolve(NOTE), victim);
        Files.createSymbolicLink(parent.resolve("run/7-42-1"), Path.of("/dev/zero"));

        assertThat(open().endOrphans()).isEmpty();
        assertThat(foreign).hasContent("precious");
        assertThat(victim).hasContent("precious");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void directoryToWhichOthersMayWriteIsNotUsedAtAll() throws Exception {
        Path note = note(NOTE, "nonsense");
        Files.setPosixFilePermissions(parent.resolve("run"), PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> log = new ArrayList<>();

        RunDirectory none = RunDirectory.openOrNone(parent.resolve("run"), log::add);
        none.newEntry().write(RunDirectory.NOT_STARTED);

        assertThat(none.directory()).isEmpty();
        assertThat(log).singleElement().asString().contains("cannot be used", "(rwxrwxrwx): it must belong to");
        assertThat(note).hasContent("nonsense");
        assertThat(parent.resolve("run")).isDirectoryContaining("glob:**" + NOTE);
    }

    @Test
    void noteNamesTheSupervisorAndTheProcess() throws Exception {
        RunDirectory directory = open();
        RunDirectory.Entry entry = directory.newEntry();
        ProcessMark here = ProcessMark.ofThisProcess();
        Path note = parent.resolve("run").resolve(entry.mark());

        entry.write(RunDirectory.NOT_STARTED);
        assertThat(note).hasContent(here + " 0 0");
        entry.write(here.pid());
        assertThat(note).hasContent("%s %d %d".formatted(here, here.pid(), here.ticks()));

        assertThat(entry.mark()).isEqualTo("%d-%d-0".formatted(here.pid(), here.ticks()));
        assertThat(directory.newEntry().mark()).isEqualTo("%d-%d-1".formatted(here.pid(), here.ticks()));
    }

    @Test
    void nameIsMadeOnceAndKnownAsOfThisProcess() throws Exception {
        RunDirectory directory = RunDirectory.none();
        String name = directory.newName();
        ProcessMark here = ProcessMark.ofThisProcess();
        ProcessMark other = new ProcessMark(here.boot(), here.namespace(), here.pid(), here.ticks() + 1);

        assertThat(name).isEqualTo(here + "_0");
        assertThat(directory.newName()).isEqualTo(here + "_1");
        assertThat(directory.isOfThisProcess(name)).isTrue();
        assertThat(directory.isOfThisProcess(other + "_0")).isFalse();
    }

    @Test
    void withoutADirectoryNothingIsNotedOrEnded() throws Exception {
        RunDirectory none = RunDirectory.none();
        RunDirectory.Entry entry = none.newEntry();
        entry.write(RunDirectory.NOT_STARTED);
        entry.delete();

        assertThat(none.directory()).isEmpty();
        assertThat(none.endOrphans()).isEmpty();
    }

    @Test
    void processesThatHaveOutlivedTheirSupervisorAreEnded() throws Exception {
        ProcessMark here = ProcessMark.ofThisProcess();
        ProcessMark ended = new ProcessMark(here.boot(), here.namespace(), 4711, here.ticks() + 1);
        ProcessBuilder builder = new ProcessBuilder("sleep", "600");
        Process leader = builder.start(); // has changed its environment
        builder.environment().put(ChildProcess.MARK, NOTE);
        Process child = builder.start();
        Process ofAnother = new ProcessBuilder("sleep", "600").start();
        try {
            long ticks = ProcessStatus.of(leader.pid()).orElseThrow().startTicks();
            note(NOTE, "%s %d %d".formatted(ended, leader.pid(), ticks));
            note("7-42-1", "%s %d %d".formatted(ended, ofAnother.pid(), ticks + 10_000_000)); // its id is used again
            List<String> log = new ArrayList<>();

            RunDirectory opened = RunDirectory.openOrNone(parent.resolve("run"), log::add);

            assertThat(log)
                    .containsExactly("process %d and its children have outlived their supervisor 4711: they are ended"
                            .formatted(leader.pid()));
            assertThat(leader.waitFor()).isEqualTo(143);
            assertThat(child.waitFor()).isEqualTo(143);
            assertThat(ofAnother.isAlive()).isTrue();
            assertThat(opened.directory().orElseThrow().files()).isEmpty();
        } finally {
            Stream.of(leader, child, ofAnother).forEach(Process::destroyForcibly);
        }
    }
}
