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
        assertThat(read("").settings()).isEmpty();
        assertThat(read("# nothing\n").settings()).isEmpty();
    }

    @Test
    void typoNamesLineAndNearestName() throws Exception {
        SettingsFile file = read("nnodes: 1\nfault_tolerance:\n  max_restart: 3\n");
        Setting typo = file.find("max-restart").orElseThrow();
        Setting other = new Setting("colour", "blue", 1);
        Set<String> known = Set.of("nnodes", "max-restarts", "monitor-interval");

        assertThat(file.unknown(typo, known))
                .hasMessageEndingWith(", line 3: there is no setting 'max-restart': do you mean 'max-restarts'?");
        assertThat(file.unknown(other, known)).hasMessageEndingWith(", line 1: there is no setting 'colour'");
    }

    @Test
    void sectionBelowAnotherOneIsAllThatCounts() throws Exception {
        SettingsFile file = read("""
                trainer:
                  max_restarts: 5
                  callbacks:
                    - {name: progress, depth: {of: 3}}
                    - fault_tolerance:
                        max_restarts: 3
                """);

        assertThat(file.settings()).containsExactly(new Setting("max-restarts", "3", 6));
    }

    @Test
    void mappingBesideTheSectionMayBeOfAnotherProgram() throws Exception {
        SettingsFile file = read("""
                nnodes: 2
                model: {layers: 12}
                data: {train: {path: /data}}
                fault_tolerance:
                  max_restarts: 3
                """);

        assertThat(file.settings()).extracting(Setting::name).containsExactly("nnodes", "model", "max-restarts");
        assertThat(file.settings())
                .filteredOn(file::isOfAnotherProgram)
                .extracting(Setting::name)
                .containsExactly("model");
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
    void valueThatRefersToAnotherOneIsRefused() {
        assertProblem(
                () -> read("nnodes: &count 2\nspares: *count\n"),
                ", line 2: spares refers to '*count': write the value itself");
        assertProblem(() -> read("a: [1, *b]\n"), ", line 1: a refers to '*b': write the value itself");
    }

    @Test
    void secondDocumentIsRefusedInsteadOfBeingIgnored() {
        assertThatThrownBy(() -> read("nnodes: 1\n---\nspares: 2\n"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("a second document begins here");
    }

    @Test
    void fileOrNameThatIsFarTooLongIsRefusedInAShortLine() {
        assertThatThrownBy(() -> read("k".repeat(1000) + ": 1\n"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("line 1: there is no setting 'kkk")
                .message()
                .hasSizeLessThan(400);
        assertProblem(
                () -> read("# " + "x".repeat(300_000)), " has more than 256 KiB: no file of settings needs so many");
    }

    @Test
    void settingThatStandsTwiceIsRefused() {
        assertProblem(
                () -> read("max-restarts: 1\nfault_tolerance:\n  max_restarts: 2\n"),
                ", line 3: max-restarts stands in line 1 already");
    }
}
