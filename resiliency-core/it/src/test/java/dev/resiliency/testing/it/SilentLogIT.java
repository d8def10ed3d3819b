package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program without an SLF4J provider on its class path. */
class SilentLogIT {
    private static final String WARNING = "WARNING: resiliency logs restarts and their causes through SLF4J";

    @TempDir
    private Path directory;

    private String errorsOf(String... options) throws Exception {
        String withoutLogback = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("logback"))
                .collect(Collectors.joining(File.pathSeparator));
        try (RankProcess rank = ProcessJob.builder(SilentProgram.class, directory)
                .classPath(withoutLogback)
                .javaOptions(options)
                .start()
                .rank(0)) {
            assertThat(rank.awaitExit()).isZero();
            assertThat(rank.lines()).containsExactly("RESULT 1", "RESULT 2");
            return rank.log();
        }
    }

    @Test
    void missingProviderIsReportedOnceWithWhatToAdd() throws Exception {
        assertThat(errorsOf()).containsOnlyOnce(WARNING).contains("ch.qos.logback:logback-classic");
    }

    @Test
    void silenceThatIsIntendedIsNotReported() throws Exception {
        assertThat(errorsOf("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider"))
                .doesNotContain(WARNING);
    }
}
