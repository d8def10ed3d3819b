package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles every block of Java in the documents, and runs its statements in a job of one rank. A block is a class, statements,
 * or a whole program, which has imports of its own. The others use only what their document has imported up to there, its
 * classes, and {@link #GIVEN} and {@link #PROGRAM}, which replace the reader's own code.
 */
class DocumentationSnippetsTest {
    private static final Pattern IMPORT = Pattern.compile("(?m)^import [\\w.]+(\\.\\*)?;.*\\n");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record|interface|enum) (\\w+)");
    private static final String MAIN = "public static void main(";

    private static final String GIVEN = """
            static final int STEPS = 1000;
            record Result(double accuracy) {}
            static Result result() { return new Result(0.97); }
            static int restore() { return 0; }
            static void save(int step) {}
            static float[] gradients(int step) { return new float[0]; }
            static void checkDevice() {}
            static void closeLoader() {}
            static void dropCaches() {}
            """;

    private static final Source PROGRAM = new Source("MyTraining", """
            class MyTraining {
                public static void main(String[] arguments) {}
            }
            """);

    /** Needs Spark: resiliency-spark runs its programs. */
    private static final String ELSEWHERE = "spark.md";

    @TempDir
    Path classes;

    @TestFactory
    Stream<DynamicTest> everyBlockOfJavaRuns() {
        List<DynamicTest> tests = Documents.all().stream()
                .filter(document ->
                        !document.endsWith(ELSEWHERE) && !blocks(document).isEmpty())
                .map(document -> DynamicTest.dynamicTest(
                        Documents.ROOT.relativize(document).toString(), () -> run(document)))
                .toList();
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    private void run(Path document) throws Exception {
        List<Source> sources = sources(document);
        compile(sources);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            for (Source source : sources) {
                if (source.isRun()) {
                    Method run = loader.loadClass(source.type).getDeclaredMethod("run");
                    run.setAccessible(true);
                    run.invoke(null);
                }
            }
        }
    }

    private static List<Source> sources(Path document) {
        List<Source> sources = new ArrayList<>(List.of(PROGRAM));
        StringBuilder imports = new StringBuilder();
        for (String block : blocks(document)) {
            Matcher type = TYPE.matcher(block);
            if (block.contains(MAIN) && type.find()) {
                sources.add(new Source(type.group(1), block));
                continue;
            }
            IMPORT.matcher(block).results().map(MatchResult::group).forEach(imports::append);
            String code = IMPORT.matcher(block).replaceAll("");
            if (type.find()) {
                sources.add(new Source(type.group(1), imports + code));
            } else {
                String name = Source.RUN + sources.size();
                sources.add(new Source(name, """
                        %s
                        class %s {
                        %s
                        static void run() throws Exception {
                        %s
                        }}
                        """.formatted(imports, name, GIVEN, code)));
            }
        }
        return sources;
    }

    private void compile(List<Source> sources) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-d", classes.toString()));
        for (Source source : sources) {
            Path file = Files.writeString(classes.resolve(source.type + ".java"), source.text);
            arguments.add(file.toString());
        }
        ByteArrayOutputStream problems = new ByteArrayOutputStream();
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, problems, arguments.toArray(String[]::new)))
                .as(problems::toString)
                .isZero();
    }

    private static List<String> blocks(Path document) {
        return Documents.blocks(document, "java");
    }

    private record Source(String type, String text) {
        private static final String RUN = "Block";

        boolean isRun() {
            return type.startsWith(RUN);
        }
    }
}
