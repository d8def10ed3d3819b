package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles every block of Java in the documents, and runs it in a job of one rank. A block is a class, or statements.
 * It uses nothing but what its document imports, and {@link #GIVEN}, which stands for the reader's own code. The imports
 * and classes of a document are known to all its blocks.
 */
class DocumentationSnippetsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import [\\w.]+(\\.\\*)?;.*\\n");
    private static final Pattern TYPE = Pattern.compile("(?m)^(public )?(final )?(class|record|interface|enum) ");

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

    @TempDir
    Path classes;

    @TestFactory
    Stream<DynamicTest> everyBlockOfJavaRuns() throws IOException {
        Path root = Path.of("../..").toAbsolutePath().normalize();
        List<Path> documents = new ArrayList<>(List.of(root.resolve("README.md")));
        try (Stream<Path> more = Files.list(root.resolve("docs"))) {
            more.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        List<DynamicTest> tests = documents.stream()
                .filter(document -> !blocks(document).isEmpty())
                .map(document ->
                        DynamicTest.dynamicTest(root.relativize(document).toString(), () -> run(document)))
                .toList();
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    private void run(Path document) throws Exception {
        compile(document);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            for (Method method : loader.loadClass("Document").getDeclaredMethods()) {
                if (method.getName().startsWith("block")) {
                    method.setAccessible(true);
                    method.invoke(null);
                }
            }
        }
    }

    private void compile(Path document) {
        Set<String> imports = new LinkedHashSet<>();
        StringBuilder types = new StringBuilder();
        StringBuilder methods = new StringBuilder();
        for (String text : blocks(document)) {
            IMPORT.matcher(text).results().map(MatchResult::group).forEach(imports::add);
            String block = IMPORT.matcher(text).replaceAll("");
            if (TYPE.matcher(block).find()) {
                types.append(block.replaceFirst("(?m)^public ", "")); // all of them are in one file
            } else {
                methods.append("static void block%d() throws Exception {\n%s}\n".formatted(methods.length(), block));
            }
        }
        String source = String.join("", imports) + "class Document {\n" + GIVEN + methods + "}\n" + types;

        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        compiler.getTask(
                        null,
                        null,
                        problems,
                        List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-d", classes.toString()),
                        null,
                        List.of(new Source(source)))
                .call();
        assertThat(problems.getDiagnostics())
                .as("problems in the blocks of %s", document)
                .filteredOn(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .isEmpty();
    }

    private static List<String> blocks(Path document) {
        try {
            Matcher matcher = BLOCK.matcher(Files.readString(document));
            return matcher.results().map(result -> result.group(1)).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        private Source(String text) {
            super(URI.create("string:///Document.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
