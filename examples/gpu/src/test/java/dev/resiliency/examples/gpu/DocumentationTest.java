package dev.resiliency.examples.gpu;

import static dev.resiliency.examples.gpu.Documents.DOCS;
import static dev.resiliency.examples.gpu.Documents.ROOT;
import static dev.resiliency.examples.gpu.Documents.matches;
import static dev.resiliency.examples.gpu.Documents.read;
import static dev.resiliency.examples.gpu.Documents.sources;
import static dev.resiliency.examples.gpu.Documents.walk;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the packages, types, tests, options and programs that the documents name exist. */
class DocumentationTest {
    private static final Path ARCHITECTURE = DOCS.resolve("ARCHITECTURE.md");
    private static final List<Path> SECURITY =
            List.of(ROOT.resolve(".github/SECURITY.md"), DOCS.resolve("security-details.md"));

    private static final Pattern MODULE = Pattern.compile("<artifactId>(resiliency-[a-z-]+)</artifactId>");
    /** A package comment with a sentence at its beginning. */
    private static final Pattern PACKAGE_COMMENT = Pattern.compile("(?s)^/\\*\\*[\\s*]+[A-Z].*?\\.\\s.*?\\*/\n");

    private static final Pattern THREAD_IN_CODE = Pattern.compile("\"(resiliency-[a-z-]*)\"");
    /** The paragraph of a class comment that begins with {@code Thread:} or {@code Threads:}. */
    private static final Pattern THREADS = Pattern.compile("(?s)\\* (<p>Threads?[ :,].*?)(?=\n \\*(?:/|\\s*\n| @))");

    private static final Pattern THREAD = Pattern.compile("\\{@code[\\s*]+(resiliency-[^}]+)}");
    /** Names in the code that begin as those of threads do. */
    private static final Set<String> NO_THREADS =
            Set.of("resiliency-", "resiliency-client", "resiliency-heartbeat-r", "resiliency-stamps-");

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
    private static final Pattern LIMITS = Pattern.compile("(?ms)^#+ How much a store takes$(.*?)^##");
    /** Options of the JVM and its tools, torchrun, srun, and docker. */
    private static final List<String> FOREIGN_OPTIONS = List.of("""
            --add-modules --enable-native-access --sun-misc-unsafe-memory-access
            --events --log-dir --max-restarts --monitor-interval --nnodes --nproc-per-node --rdzv-backend --rdzv-conf
            --rdzv-endpoint --rdzv-id --redirects --role --standalone --tee
            --kill-on-bad-exit --no-kill --nodes --ntasks-per-node --signal
            --init --shm-size
            """.split("\\s+"));

    private static final Pattern MAVEN = Pattern.compile("(?m)^mvn (.*-pl .*)$");
    private static final Pattern MODULES = Pattern.compile("-pl (\\S+)");
    private static final Pattern TEST = Pattern.compile("-D(?:it\\.)?test='?(\\w+)");
    /** The name by which commands run no unit test. */
    private static final String NO_TEST = "NoUnit";

    /** Types in the documents that this project does not define. */
    private static final Set<String> FOREIGN = Set.of("HttpServer", "StopThread", "StringBuilder", "System", "Thread");

    @Test
    void architectureNamesAllModules() {
        Set<String> modules = walk(ROOT, 4)
                .filter(file -> file.endsWith("pom.xml") && !file.toString().contains("/target/"))
                .map(file -> read(file).replaceAll("(?s)<parent>.*?</parent>", ""))
                .map(pom -> matches(MODULE, pom).stream().findFirst())
                .flatMap(Optional::stream)
                .filter(module -> !module.matches("resiliency-(examples.*|parent)"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(modules).hasSizeGreaterThan(5);
        assertThat(read(ARCHITECTURE)).contains(modules);
    }

    @Test
    void everyPackageSaysWhatItHolds() {
        List<Path> packages = librarySources().map(Path::getParent).distinct().toList();
        assertThat(packages)
                .isNotEmpty()
                .allSatisfy(directory -> assertThat(directory.resolve("package-info.java"))
                        .content()
                        .containsPattern(PACKAGE_COMMENT));
    }

    @Test
    void everyThreadIsDescribedByTheClassThatStartsIt() {
        Map<String, Path> started = new TreeMap<>();
        Set<String> described = new TreeSet<>();
        librarySources().forEach(file -> {
            String code = read(file);
            List<String> names = matches(THREAD_IN_CODE, code);
            List<String> here = matches(THREADS, code).stream()
                    .flatMap(paragraph -> matches(THREAD, paragraph).stream())
                    .toList();
            if (!names.isEmpty()) {
                assertThat(here)
                        .as("threads that %s describes", file)
                        .allSatisfy(thread -> assertThat(names).anyMatch(thread::startsWith));
            }
            names.forEach(name -> started.put(name, file));
            described.addAll(here);
        });

        started.keySet().removeAll(NO_THREADS);
        assertThat(started)
                .hasSizeGreaterThan(40)
                .allSatisfy((name, file) -> assertThat(described)
                        .as("threads of which a class comment says what they do; missing in %s", file)
                        .anyMatch(thread -> thread.startsWith(name)));
    }

    @Test
    void typesInDocumentsForContributorsExist() {
        Set<String> inCode = Stream.of("main", "test", "interop", "pytorch", "xgboost")
                .flatMap(Documents::sources)
                .flatMap(file -> matches(TYPE, read(file)).stream())
                .collect(Collectors.toSet());

        for (Path document : forContributors()) {
            Set<String> missing = new TreeSet<>(matches(TYPE_IN_TEXT, read(document)));
            missing.removeAll(inCode);
            missing.removeAll(FOREIGN);
            assertThat(missing).as("types that %s names", document).isEmpty();
        }
    }

    @Test
    void everyRowOfSecurityNamesTheTestsThatShowIt() {
        assertThat(SECURITY).allSatisfy(page -> {
            List<String> shown = matches(SHOWN_ROWS, read(page)).stream()
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
        });
    }

    @Test
    void firstPageContainsTheQuickstart() {
        assertThat(read(DOCS.resolve("getting-started.md")))
                .contains(
                        "```java\n" + read(ROOT.resolve("examples/quickstart/src/main/java/Quickstart.java")) + "```");
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

        for (Path document : Documents.all()) {
            assertThat(matches(OPTION, read(document)))
                    .as("options in %s", ROOT.relativize(document))
                    .isSubsetOf(known);
        }
    }

    @Test
    void onePageListsAllLimitsOfTheStoreServer() throws Exception {
        List<String> listed = Documents.pages().stream()
                .flatMap(page -> matches(LIMITS, read(page)).stream())
                .flatMap(chapter -> matches(ROW, chapter).stream())
                .toList();

        assertThat(listed).containsExactlyElementsOf(matches(LIMIT, helpOfTheStoreServer()));
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
        List<String> commands = Documents.all().stream()
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

    private static List<Path> forContributors() {
        Stream<Path> others = Stream.of(ARCHITECTURE, DOCS.resolve("CONTRIBUTING.md"), DOCS.resolve("test-times.md"));
        return Stream.of(walk(DOCS.resolve("rationale"), 1), others, SECURITY.stream())
                .flatMap(pages -> pages)
                .toList();
    }

    private static Stream<Path> librarySources() {
        return sources("main")
                .filter(file -> !file.startsWith(ROOT.resolve("examples")))
                .filter(file -> !file.endsWith("module-info.java"));
    }
}
