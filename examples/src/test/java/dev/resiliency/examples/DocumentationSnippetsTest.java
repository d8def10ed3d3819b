package dev.resiliency.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the documentation shows as Java compiles: every block marked {@code java} of the README and of {@code docs}. It
 * may be a whole file, members of a class, or statements; the API needs no imports.
 */
class DocumentationSnippetsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("^```java\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("^import .*;$", Pattern.MULTILINE);
    private static final String IMPORTS = """
            import dev.resiliency.inprocess.*;
            import dev.resiliency.inprocess.hook.*;
            import dev.resiliency.inprocess.rank.*;
            import dev.resiliency.store.*;
            import dev.resiliency.store.tcp.*;
            import java.time.*;
            import java.util.*;
            """;

    @TempDir
    private Path output;

    @TestFactory
    Stream<DynamicTest> compiles() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : documents()) {
            Matcher block = BLOCK.matcher(Files.readString(file, UTF_8));
            while (block.find()) {
                String code = block.group(1);
                String name =
                        file.getFileName() + ": " + code.lines().findFirst().orElse("");
                tests.add(DynamicTest.dynamicTest(name, () -> assertCompiles(code)));
            }
        }
        assertThat(tests).as("blocks of Java in the documentation").isNotEmpty();
        return tests.stream();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(docs, Stream.of(ROOT.resolve("README.md")))
                    .filter(file -> file.toString().endsWith(".md") && Files.exists(file))
                    .sorted()
                    .toList();
        }
    }

    private void assertCompiles(String code) {
        String body = IMPORT.matcher(code).replaceAll("");
        String imports = IMPORTS
                + String.join(
                        "\n",
                        IMPORT.matcher(code).results().map(each -> each.group()).toList());
        List<String> forms = List.of(
                imports + "class Snippet { void snippet() throws Exception {\n" + body + "\n} }",
                imports + "class Snippet {\n" + body + "\n}",
                imports + body);
        List<String> errors = new ArrayList<>();
        for (String form : forms) {
            String error = compile(form);
            if (error.isEmpty()) {
                return;
            }
            errors.add(error);
        }
        assertThat(errors)
                .as("errors as statements, as members, as a file:\n" + code)
                .isEmpty();
    }

    /** What the compiler says; nothing if it is content. */
    private String compile(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("-proc:none", "-d", output.toString(), "-cp", System.getProperty("java.class.path")),
                        null,
                        List.of(new Source(source)))
                .call();
        return compiled ? "" : messages.toString();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String code;

        Source(String code) {
            super(URI.create("memory:///Snippet.java"), JavaFileObject.Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }
}
