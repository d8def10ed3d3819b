package dev.resiliency.examples.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the files, headings, packages, types, tests and programs that the documents refer to exist. */
class DocumentationTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path ARCHITECTURE = ROOT.resolve("docs/ARCHITECTURE.md");
    private static final Path SECURITY = ROOT.resolve(".github/SECURITY.md");

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);$");
    private static final Pattern PACKAGE_ROW = Pattern.compile("(?m)^\\| `(dev\\.resiliency\\.[\\w.]+)` \\|");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface|record|enum) ([A-Z]\\w+)");
    private static final Pattern TYPE_IN_TEXT = Pattern.compile("`([A-Z][a-z]\\w*[A-Z]?\\w*)(?:\\.[\\w()]+)?`");

    private static final Pattern TEST_IN_TEXT = Pattern.compile("`(\\w+(?:Test|IT))`");
    /** The rows of tables whose last column says which tests show what the row says. */
    private static final Pattern SHOWN_ROWS =
            Pattern.compile("(?m)^\\|.*\\| shown by \\|\n\\|[ |-]+\\|\n((?:\\|.*\n)+)");

    private static final Pattern LAST_CELL = Pattern.compile("(?m)([^|]*)\\|$");
    private static final String UNTESTED = "–";

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--[a-z]++(?:-[a-z]++)*+)(?!-)");
    private static final Pattern OPTION_IN_CODE = Pattern.compile("\"(--[a-z-]+)\"");
    private static final Pattern LIMIT = Pattern.compile("--max-([a-z-]+)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|");
    private static final String LIMITS = "### How much a store takes";
    /** Options of the JVM, torchrun, srun, and docker. */
    private static final Set<String> FOREIGN_OPTIONS = Set.of(
            "--add-modules",
            "--enable-native-access",
            "--sun-misc-unsafe-memory-access",
            "--log-dir",
            "--max-restarts",
            "--monitor-interval",
            "--nnodes",
            "--nproc-per-node",
            "--rdzv-backend",
            "--rdzv-conf",
            "--rdzv-endpoint",
            "--rdzv-id",
            "--redirects",
            "--role",
            "--standalone",
            "--tee",
            "--init",
            "--kill-on-bad-exit",
            "--no-kill",
            "--signal",
            "--shm-size",
            "--nodes",
            "--ntasks-per-node");

    private static final Pattern MAVEN = Pattern.compile("(?m)^mvn (.*-pl .*)$");
    private static final Pattern MODULES = Pattern.compile("-pl (\\S+)");
    private static final Pattern TEST = Pattern.compile("-D(?:it\\.)?test='?(\\w+)");
    /** The name by which commands run no unit test. */
    private static final String NO_TEST = "NoUnit";

    /** Types in the documents that this project does not define. */
    private static final Set<String> FOREIGN = Set.of(
            "CompletableFutureDelayScheduler",
            "Exception",
            "FileChannel",
            "HttpServer",
            "InterruptedException",
            "IllegalMonitorStateException",
            "InternalError",
            "OutOfMemoryError",
            "RandomAccessFile",
            "StopThread",
            "StringBuilder",
            "System",
            "Thread");

    @Test
    void everyLinkHasATarget() {
        List<String> dead = new ArrayList<>();
        for (Path document : documents()) {
            for (String link : matches(LINK, read(document))) {
                if (!link.contains("://") && !hasTarget(document, link)) {
                    dead.add(ROOT.relativize(document) + ": " + link);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void architectureListsAllPackages() {
        Set<String> inCode = sources("main")
                .filter(file -> !file.startsWith(ROOT.resolve("examples")))
                .flatMap(file -> matches(PACKAGE, read(file)).stream())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(matches(PACKAGE_ROW, read(ARCHITECTURE))).containsExactlyInAnyOrderElementsOf(inCode);
    }

    @Test
    void typesInDocumentsForContributorsExist() {
        Set<String> inCode = Stream.of("main", "test", "interop", "pytorch", "xgboost")
                .flatMap(DocumentationTest::sources)
                .flatMap(file -> matches(TYPE, read(file)).stream())
                .collect(Collectors.toSet());

        for (String document :
                List.of("docs/ARCHITECTURE", "docs/CONTRIBUTING", "docs/rationale", ".github/SECURITY")) {
            Set<String> missing = new TreeSet<>(matches(TYPE_IN_TEXT, read(ROOT.resolve(document + ".md"))));
            missing.removeAll(inCode);
            missing.removeAll(FOREIGN);
            assertThat(missing).as("types that %s.md names", document).isEmpty();
        }
    }

    @Test
    void everyTestThatSecurityNamesExists() {
        Set<String> tests = Stream.of("test", "interop", "pytorch", "xgboost")
                .flatMap(DocumentationTest::sources)
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(matches(TEST_IN_TEXT, read(SECURITY))).isNotEmpty().isSubsetOf(tests);
    }

    @Test
    void everyRowOfSecurityNamesTheTestsThatShowIt() {
        List<String> shown = matches(SHOWN_ROWS, read(SECURITY)).stream()
                .flatMap(rows -> matches(LAST_CELL, rows).stream())
                .map(String::strip)
                .toList();

        assertThat(shown)
                .isNotEmpty()
                .allSatisfy(cell -> assertThat(cell)
                        .satisfiesAnyOf(
                                named -> assertThat(named)
                                        .matches(TEST_IN_TEXT.pattern() + "(, " + TEST_IN_TEXT.pattern() + ")*"),
                                not -> assertThat(not).isEqualTo(UNTESTED)));
    }

    @Test
    void guideContainsTheQuickstart() {
        String guide = read(ROOT.resolve("docs/usage-guide.md"));
        for (String file : List.of("pom.xml", "src/main/java/Quickstart.java", "src/main/resources/logback.xml")) {
            assertThat(guide).contains(read(ROOT.resolve("examples/quickstart").resolve(file)));
        }
    }

    /** Its own build, which is no part of this one: from JDK 24 on, the JVM would warn a user who copies it. */
    @Test
    void jarOfTheQuickstartMayUseNativeCode() {
        assertThat(read(ROOT.resolve("examples/quickstart/pom.xml")))
                .contains("<Enable-Native-Access>ALL-UNNAMED</Enable-Native-Access>");
    }

    @Test
    void optionsInDocumentsExist() throws Exception {
        Set<String> known = sources("main")
                .flatMap(file -> matches(OPTION_IN_CODE, read(file)).stream())
                .collect(Collectors.toSet());
        known.addAll(matches(OPTION, helpOfTheStoreServer()));
        known.addAll(FOREIGN_OPTIONS);

        for (Path document : documents()) {
            assertThat(matches(OPTION, read(document)))
                    .as("options in %s", ROOT.relativize(document))
                    .isSubsetOf(known);
        }
    }

    @Test
    void guideListsAllLimitsOfTheStoreServer() throws Exception {
        String guide = read(ROOT.resolve("docs/usage-guide.md"));
        String chapter = guide.substring(guide.indexOf(LIMITS)).split("\n## ", 2)[0];

        assertThat(matches(ROW, chapter)).containsExactlyElementsOf(matches(LIMIT, helpOfTheStoreServer()));
    }

    private static String helpOfTheStoreServer() throws IOException {
        Process help = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.resiliency.store.tcp.internal.server.StoreServerMain",
                        "--help")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(help.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void testsInCommandsAreInTheirModules() {
        List<String> commands = documents().stream()
                .flatMap(document -> matches(MAVEN, read(document)).stream())
                .filter(command -> TEST.matcher(command).find())
                .toList();
        assertThat(commands).isNotEmpty();
        for (String command : commands) {
            List<String> modules = List.of(matches(MODULES, command).get(0).split(",", -1));
            assertThat(matches(TEST, command))
                    .as(command)
                    .allSatisfy(test ->
                            assertThat(modules).anyMatch(module -> test.equals(NO_TEST) || hasTest(module, test)));
        }
    }

    private static boolean hasTest(String module, String test) {
        return walk(ROOT.resolve(module).resolve("src/test/java"), Integer.MAX_VALUE)
                .anyMatch(file -> file.endsWith(test + ".java"));
    }

    private static boolean hasTarget(Path document, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? document
                : document.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** Returns the anchors that GitHub derives from the headings. */
    private static Set<String> anchors(Path document) {
        return matches(HEADING, read(document)).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{Alnum} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static List<Path> documents() {
        return Stream.of(ROOT, ROOT.resolve("docs"), ROOT.resolve(".github"))
                .flatMap(directory -> walk(directory, 1))
                .filter(file -> file.toString().endsWith(".md"))
                .toList();
    }

    private static Stream<Path> sources(String kind) {
        return walk(ROOT, Integer.MAX_VALUE)
                .filter(file ->
                        file.toString().endsWith(".java") && file.toString().contains("/src/" + kind + "/java/"));
    }

    private static Stream<Path> walk(Path directory, int depth) {
        try (Stream<Path> files = Files.walk(directory, depth)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
