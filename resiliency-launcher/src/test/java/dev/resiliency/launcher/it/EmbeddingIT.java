package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that embeds the launcher has none of the libraries that only its command line and its servers need. */
class EmbeddingIT {
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
    /** What the program gets, and what resiliency-store and the parent's pom bring. */
    private static final Pattern JAR = Pattern.compile(
            ".*(/resiliency-(launcher|core|store)(/target/classes|-\\d[^/]*\\.jar)|/(netty|slf4j-api|jspecify|jackson-(core|databind|annotations)|sketches-java)-(?!pkitesting)[^/]*\\.jar)");

    @TempDir
    private Path directory;

    /** Returns the class path, or the module path, of such a program, without the program. */
    static String path() {
        return classPath().filter(JAR.asMatchPredicate()).collect(Collectors.joining(File.pathSeparator));
    }

    private static Stream<String> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    private ProcessJob.Builder program(Class<?> program) {
        String tests = classPath()
                .filter(path -> path.endsWith("/target/test-classes"))
                .collect(Collectors.joining());
        return ProcessJob.builder(program, directory).classPath(tests + File.pathSeparator + path());
    }

    @Test
    void programGetsFewArtifacts() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        String declared = pom.substring(0, pom.indexOf("<build>"));

        assertThat(DEPENDENCY
                        .matcher(declared)
                        .results()
                        .map(match -> match.group(1))
                        .filter(each -> !each.contains("<optional>true") && !each.contains("<scope>test"))
                        .map(each -> ARTIFACT.matcher(each)
                                .results()
                                .findFirst()
                                .orElseThrow()
                                .group(1)))
                .containsExactly(
                        "resiliency-store",
                        "resiliency-core",
                        "jackson-core",
                        "jackson-databind",
                        "jackson-annotations",
                        "sketches-java");
    }

    @Test
    void programSupervisesItself() throws Exception {
        try (ProcessJob job = program(SelfSupervised.class).arguments("7").start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(93);
            assertThat(job.rank(0).log()).contains("restart 2 of 2");
        }
    }

    @Test
    void programRunsRanks() throws Exception {
        try (ProcessJob job =
                program(EmbeddingProgram.class).arguments(directory.toString()).start()) {
            assertThat(job.rank(0).awaitExit()).as(job.rank(0).log()).isZero();
            assertThat(job.rank(0).log()).contains("the status page of the job is at", "report 1: EXITED(17)");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "attribution, needs info.picocli:picocli on the class path",
        "log-server, add resiliency-launcher-rpc and grpc-netty-shaded to the class path"
    })
    void serverThatNeedsMoreSaysSo(String server, String advice) throws Exception {
        try (ProcessJob job = program(EmbeddingProgram.class)
                .arguments(directory.toString(), server)
                .start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(1);
            assertThat(job.rank(0).log()).contains(advice + "; exit code 1");
        }
    }
}
