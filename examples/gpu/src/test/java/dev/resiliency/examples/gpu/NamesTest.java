package dev.resiliency.examples.gpu;

import static dev.resiliency.examples.gpu.Documents.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A simple name means one thing in all modules, so that a log line, a stack trace or a conversation needs no package. */
class NamesTest {
    /** Names of several classes, with what each of these means. */
    private static final Map<String, String> SHARED = Map.ofEntries(
            entry("Departure", "how a rank, and an agent, leaves its job"),
            entry("HostName", "the name of this host"),
            entry("Leaving", "a stage, of a rank and of a node"),
            entry("MemoryReclaim", "the wait for free memory of a GPU, through CUDA and through nvidia-smi"),
            entry("Regrouping", "a stage, of a rank and of a node"),
            entry("Running", "a stage, of a rank and of a node"));

    @Test
    void simpleNameMeansOneThingInAllModules() {
        Map<String, Long> classes = Documents.sources("main")
                .filter(NamesTest::isLibraryClass)
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        assertThat(classes).hasSizeGreaterThan(500);

        classes.values().removeIf(count -> count == 1);
        assertThat(classes.keySet()).as("names of several classes").isSubsetOf(SHARED.keySet());
    }

    private static boolean isLibraryClass(Path file) {
        return ROOT.relativize(file).toString().startsWith("resiliency-")
                && !file.toString().endsWith("-info.java");
    }
}
