package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** This program takes each of its command lines in the documents. */
class DocumentedCommandLinesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```$");
    private static final Pattern IN_BLOCK = Pattern.compile("(?m)(?:^|[ (/])resiliency ([a-z].*)$");
    private static final Pattern IN_TEXT = Pattern.compile("`resiliency ([a-z][^`]* --[^`]*)`");
    /** A variable of the shell: where it stands, a number does, too. */
    private static final Pattern VARIABLE = Pattern.compile("\"?\\$(?:\\w+|\\{[^}]*})\"?");

    private static void parse(String line) {
        CommandLine program = ResiliencyCommand.commandLine();
        String plain = VARIABLE.matcher(line).replaceAll("2").replace(')', ' ').strip();
        program.parseArgs(OptionNames.normalize(program, plain.split("\\s+", -1)));
    }

    /** Parses what a sentence says of a command line, which need not be all of it. */
    private static void parsePart(String line) {
        try {
            parse(line);
        } catch (MissingParameterException e) {
            assertThat(e).hasMessageStartingWith("Missing required ");
        }
    }

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static List<String> blocks(Path page) throws IOException {
        String text = Files.readString(page).replaceAll("\\\\\\n *", "");
        return groups(BLOCK, text).stream()
                .flatMap(block -> groups(IN_BLOCK, block).stream())
                .toList();
    }

    private static List<String> sentences(Path page) throws IOException {
        return groups(IN_TEXT, BLOCK.matcher(Files.readString(page)).replaceAll(""));
    }

    private static void check(Path page) throws IOException {
        for (String line : blocks(page)) {
            assertThatCode(() -> parse(line)).as(line).doesNotThrowAnyException();
        }
        for (String line : sentences(page)) {
            assertThatCode(() -> parsePart(line)).as(line).doesNotThrowAnyException();
        }
    }

    @TestFactory
    Stream<DynamicTest> everyCommandLineIsTaken() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> more = Files.list(ROOT.resolve("docs"))) {
            more.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        assertThat(blocks(ROOT.resolve("docs/schedulers.md"))).hasSize(5);
        assertThat(sentences(ROOT.resolve("docs/operations.md"))).hasSize(3);
        return pages.stream()
                .map(page -> DynamicTest.dynamicTest(ROOT.relativize(page).toString(), () -> check(page)));
    }

    @Test
    void lineThatIsNotTakenIsFound() {
        parse("run --nnodes 2 -- train");

        for (String line :
                List.of("rum -- train", "run --no-such 1 -- train", "run --nnodes two -- train", "run --spares 1")) {
            assertThatThrownBy(() -> parse(line)).as(line).isInstanceOf(ParameterException.class);
        }
    }
}
