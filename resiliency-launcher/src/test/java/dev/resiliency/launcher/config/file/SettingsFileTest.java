package dev.resiliency.launcher.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
    @TempDir
    private Path directory;

    private SettingsFile read(String text) throws Exception {
        return SettingsFile.read(Files.writeString(directory.resolve("job.yaml"), text));
    }

    private String value(SettingsFile file, String name) {
        return file.find(name).map(Setting::value).orElse("(absent)");
    }

    private void assertProblem(ThrowingCallable read, String problem) {
        assertThatThrownBy(read).isInstanceOf(SettingsException.class).hasMessage(directory + "/job.yaml" + problem);
    }

    @Test
    void valuesAreAsOnTheCommandLine() throws Exception {
        SettingsFile file = read("""
                # a job
                nnodes: 2:4
                max_restarts: 10
                fault_tolerance:
                  gpu-memory-reclaim-timeout: 50.0
                  rank_section_timeouts: {setup: 600, step: 180}
                  storage_healthcheck_path: [/data, "/mnt/set 1"]
                  safety_factor: null
                """);

        assertThat(value(file, "nnodes")).isEqualTo("2:4");
        assertThat(value(file, "max-restarts")).isEqualTo("10");
        assertThat(value(file, "gpu-memory-reclaim-timeout")).isEqualTo("50.0");
        assertThat(value(file, "rank-section-timeouts")).isEqualTo("setup:600,step:180");
        assertThat(value(file, "storage-healthcheck-path")).isEqualTo("/data,/mnt/set 1");
        assertThat(value(file, "safety-factor")).isEqualTo("(absent)");
        assertThat(file.find("gpu-memory-reclaim-timeout").orElseThrow().line()).isEqualTo(5);
    }

    @Test
    void emptyFileHasNoSettings() throws Exception {
        read("").check(Set.of());
        read("# nothing\n").check(Set.of());
    }

    @Test
    void typoNamesLineAndNearestName() throws Exception {
        SettingsFile file = read("nnodes: 1\nfault_tolerance:\n  max_restart: 3\n");
        Set<String> known = Set.of("nnodes", "max-restarts", "monitor-interval");

        assertProblem(
                () -> file.check(known), ", line 3: there is no setting 'max-restart': do you mean 'max-restarts'?");
        assertProblem(() -> read("colour: blue\n").check(known), ", line 1: there is no setting 'colour'");
    }

    @Test
    void whatIsNoFileOfSettingsIsExplained() {
        assertThatThrownBy(() -> SettingsFile.read(directory.resolve("none")))
                .hasMessage("there is no file " + directory.resolve("none"));
        assertProblem(() -> read("just text\n"), ", line 1: write one setting in a line, as in 'max-restarts: 10'");
        assertProblem(
                () -> read("a: 1\nb: {c: {d: 1}}\n"),
                ", line 2: b contains lists or mappings: no setting has such a value");
        assertThatThrownBy(() -> read("a: 1\nb: [1\n")).hasMessageContaining("this is no YAML");
    }

    @Test
    void settingThatStandsTwiceIsRefused() {
        assertProblem(
                () -> read("max-restarts: 1\nfault_tolerance:\n  max_restarts: 2\n"),
                ", line 3: max-restarts stands in line 1 already");
    }
}
