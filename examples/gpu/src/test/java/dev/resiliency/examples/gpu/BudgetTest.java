package dev.resiliency.examples.gpu;

import static dev.resiliency.examples.gpu.Documents.ROOT;
import static dev.resiliency.examples.gpu.Documents.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds each package to the lines that it may have: whoever needs more changes the number, and says why in the same commit. */
class BudgetTest {
    private static final Path BUDGET = ROOT.resolve("examples/gpu/src/test/resources/budget.txt");
    /** A package that has shrunk by more than that gives the rest back. */
    private static final int MOST_LEFT = 100;

    @Test
    void eachPackageHasTheLinesOfItsBudget() {
        Map<String, Integer> lines = lines();
        Map<String, Integer> budget = budget();

        assertThat(budget.keySet()).isEqualTo(lines.keySet());
        assertThat(lines)
                .as("packages whose lines are not within %d of their budget in %s", MOST_LEFT, ROOT.relativize(BUDGET))
                .allSatisfy((name, has) -> assertThat(budget.get(name)).as(name).isBetween(has, has + MOST_LEFT));
    }

    /** Of main code, by the directory of each package in the repository. */
    private static Map<String, Integer> lines() {
        return Documents.sources("main")
                .collect(Collectors.toMap(
                        file -> ROOT.relativize(file.getParent()).toString(),
                        file -> (int) read(file).lines().count(),
                        Integer::sum,
                        TreeMap::new));
    }

    private static Map<String, Integer> budget() {
        return read(BUDGET)
                .lines()
                .map(line -> line.split(" ", 2))
                .collect(Collectors.toMap(
                        fields -> fields[1], fields -> Integer.valueOf(fields[0]), (one, other) -> one, TreeMap::new));
    }
}
