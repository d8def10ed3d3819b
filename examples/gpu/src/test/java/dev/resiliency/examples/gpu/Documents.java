package dev.resiliency.examples.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The documents of the repository: README.md, those for who comes from GitHub, and the pages in {@code docs}. */
final class Documents {
    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    static final Path DOCS = ROOT.resolve("docs");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^( *)```.*?^\\1```$");

    private Documents() {}

    static List<Path> all() {
        Stream<Path> others = Stream.of(ROOT, ROOT.resolve(".github")).flatMap(directory -> walk(directory, 1));
        return Stream.concat(others.filter(Documents::isDocument), pages().stream())
                .toList();
    }

    /** Returns the pages in {@code docs} and its directories. */
    static List<Path> pages() {
        return walk(DOCS, Integer.MAX_VALUE)
                .filter(Documents::isDocument)
                .sorted()
                .toList();
    }

    private static boolean isDocument(Path file) {
        return file.toString().endsWith(".md");
    }

    /** Returns the anchors that GitHub derives from the headings. */
    static Set<String> anchors(Path document) {
        return matches(HEADING, CODE.matcher(read(document)).replaceAll("")).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{Alnum} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** Returns the blocks of code in a language, also those in a list, which are indented. */
    static List<String> blocks(Path document, String language) {
        return Pattern.compile("(?ms)^( *)```" + language + "\\n(.*?)^\\1```$")
                .matcher(read(document))
                .results()
                .map(block -> block.group(2).stripIndent())
                .toList();
    }

    /** Returns the files of Java of a kind, such as {@code main}, of all modules. */
    static Stream<Path> sources(String kind) {
        return walk(ROOT, Integer.MAX_VALUE)
                .filter(file -> file.toString().contains("/src/" + kind + "/java/")
                        && file.toString().endsWith(".java")
                        && !file.toString().contains("/target/"));
    }

    static Stream<Path> walk(Path directory, int depth) {
        try (Stream<Path> files = Files.walk(directory, depth)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
