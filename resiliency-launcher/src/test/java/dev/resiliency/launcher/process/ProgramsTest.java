package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.process.ExitReason.NotStarted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectory(directory.resolve("bin"));
        Files.createDirectory(directory.resolve("bin/folder"));
        Files.writeString(directory.resolve("bin/text"), "");
        Path program = Files.writeString(directory.resolve("bin/program"), "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private Optional<NotStarted> find(String program) {
        return Programs.problem(program, directory, "/nowhere:" + directory.resolve("bin"));
    }

    private NotStarted problem(String program) {
        return find(program).orElseThrow();
    }

    @Test
    void programIsFoundByItsNameOrItsPath() {
        assertThat(find("program")).isEmpty();
        assertThat(find("bin/program")).isEmpty();
        assertThat(find(directory.resolve("bin/program").toString())).isEmpty();
    }

    @Test
    void missingProgramIsNamed() {
        assertThat(problem("absent").code()).isEqualTo(127);
        assertThat(problem("absent").problem()).contains("there is no program 'absent'", "/nowhere");
        assertThat(problem("./absent").problem()).contains("there is no file");
    }

    @Test
    void fileThatIsNoProgramIsNamedWithWhatToDo() {
        assertThat(problem("text").code()).isEqualTo(126);
        assertThat(problem("bin/text").problem()).contains("bin/text is not executable: chmod +x it");
        assertThat(problem("bin/folder").problem()).contains("is a directory");
    }

    @Test
    void firstDirectoryThatHasTheProgramCounts() throws IOException {
        Path second = Files.createDirectory(directory.resolve("second"));
        for (String name : new String[] {"program", "text"}) {
            Path file = Files.writeString(second.resolve(name), "#!/bin/sh\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        String path = ":" + directory.resolve("bin") + "::" + second;

        assertThat(Programs.find(path, "program")).contains(directory.resolve("bin/program"));
        assertThat(Programs.find(path, "text")).contains(second.resolve("text"));
        assertThat(Programs.find(path, "folder")).isEmpty();
        assertThat(Programs.find("", "program")).isEmpty();
    }
}
