package dev.resiliency.examples.gpu;

import static dev.resiliency.examples.gpu.Documents.DOCS;
import static dev.resiliency.examples.gpu.Documents.ROOT;
import static dev.resiliency.examples.gpu.Documents.matches;
import static dev.resiliency.examples.gpu.Documents.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the documents short, and every page within reach: its opening lines, the links to it, and those in it. */
class PagesTest {
    private static final int MOST_WORDS = 1_500;

    private static final String INDEX = "README.md";

    private static final Pattern OPENING = Pattern.compile("# .+\n\n"
            + Stream.of("\\*\\*For\\*\\* ", "\\*\\*What\\*\\* ", "\\*\\*How long\\*\\* it takes")
                    .map(begin -> "- " + begin + ".+\n(?:  .+\n)*")
                    .collect(Collectors.joining())
            + "\n");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    @Test
    void noPageIsLong() {
        assertThat(Documents.all())
                .isNotEmpty()
                .allSatisfy(page -> assertThat(words(page)).as(name(page)).isLessThanOrEqualTo(MOST_WORDS));
    }

    @Test
    void everyPageSaysForWhomItIsWhatItHasAndHowLongItTakes() {
        assertThat(Documents.pages())
                .isNotEmpty()
                .allSatisfy(page -> assertThat(opens(page)).as(name(page)).isTrue());
    }

    /** A page by the index of its directory, and that by the index of the directory above. */
    @Test
    void indexListsEveryPage() {
        assertThat(Documents.pages())
                .filteredOn(page -> !page.equals(DOCS.resolve(INDEX)))
                .isNotEmpty()
                .allSatisfy(page -> assertThat(listedIn(indexOf(page))).contains(page));
    }

    private static Path indexOf(Path page) {
        return page.resolveSibling(page.endsWith(INDEX) ? "../" + INDEX : INDEX).normalize();
    }

    private static Set<Path> listedIn(Path index) {
        return matches(LINK, read(index)).stream()
                .map(link -> index.resolveSibling(link.split("#", 2)[0]).normalize())
                .collect(Collectors.toSet());
    }

    @Test
    void everyLinkHasATarget() {
        List<String> dead = new ArrayList<>();
        for (Path document : everyDocument()) {
            for (String link : matches(LINK, read(document))) {
                if (!link.contains("://") && !hasTarget(document, link)) {
                    dead.add(name(document) + ": " + link);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    private static List<Path> everyDocument() {
        return Stream.concat(Documents.all().stream(), Stream.of(ROOT.resolve("examples/quickstart/README.md")))
                .toList();
    }

    private static boolean hasTarget(Path document, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? document
                : document.resolveSibling(parts[0]).normalize();
        return Files.exists(target)
                && (parts.length == 1 || Documents.anchors(target).contains(parts[1]));
    }

    private static boolean opens(Path page) {
        return OPENING.matcher(read(page)).lookingAt();
    }

    /** Counts as {@code wc -w} does, code and tables included. */
    private static int words(Path page) {
        return read(page).strip().split("\\s+", -1).length;
    }

    private static String name(Path document) {
        return ROOT.relativize(document).toString();
    }
}
