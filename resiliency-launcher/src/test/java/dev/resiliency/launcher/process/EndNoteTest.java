package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndNoteTest {
    @TempDir
    private Path directory;

    @Test
    void endOfAJobIsKnownUntilAnotherOneBegins() throws Exception {
        EndNote note = new EndNote(RunDirectory.open(directory.resolve("run")), "a/b", 29400);
        note.delete();
        assertThat(EndNote.read(directory.resolve("run"), "a/b", 29400)).isEmpty();

        note.write("all ranks have completed");

        assertThat(EndNote.read(directory.resolve("run"), "a/b", 29400)).contains("all ranks have completed");
        assertThat(EndNote.read(directory.resolve("run"), "a/b", 29401)).isEmpty();
        assertThat(EndNote.read(directory.resolve("run"), "b", 29400)).isEmpty();
        note.delete();
        assertThat(EndNote.read(directory.resolve("run"), "a/b", 29400)).isEmpty();
    }

    @Test
    void nothingIsNotedWhereThereIsNoDirectory() {
        EndNote note = new EndNote(RunDirectory.none(), "job", 29400);
        note.write("all ranks have completed");

        assertThat(EndNote.read(directory, "job", 29400)).isEmpty();
    }
}
