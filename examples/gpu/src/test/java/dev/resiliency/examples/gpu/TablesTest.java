package dev.resiliency.examples.gpu;

import static dev.resiliency.examples.gpu.Documents.DOCS;
import static dev.resiliency.examples.gpu.Documents.matches;
import static dev.resiliency.examples.gpu.Documents.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.testing.FaultKind;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of settings and faults have all that the code has, once, and nothing else. */
class TablesTest {
    private static final Pattern TABLE =
            Pattern.compile("(?m)^\\| (?:setting|kind)\\b.*\\n\\|[ |-]+\\n((?:\\|.*\\n)+)");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\|([^|]*)\\|");
    private static final Pattern NAME = Pattern.compile("`([\\w-]+)`");

    @Test
    void settingsOfTheWrapper() {
        assertThat(names("settings.md"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Wrapper.Builder.class.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(name -> !name.equals("build"))
                        .toList());
    }

    @Test
    void settingsOfElasticity() {
        assertThat(names("growing.md"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Elasticity.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }

    @Test
    void kindsOfFaults() {
        assertThat(names("testing.md"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(FaultKind.values()).map(FaultKind::toString).toList());
    }

    /** Returns the names in the first column of such tables of a page. */
    private static List<String> names(String page) {
        return matches(TABLE, read(DOCS.resolve(page))).stream()
                .flatMap(rows -> matches(FIRST_CELL, rows).stream())
                .flatMap(cell -> matches(NAME, cell).stream())
                .toList();
    }
}
