package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.lines;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.MemoryUse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is found in the directory of a process that has ended, and in the log of the kernel. */
@Timeout(120)
class GathererTest {
    private static final MemoryUse MEMORY = new MemoryUse(97, 3, MemoryUse.UNKNOWN, false);

    @TempDir
    private Path directory;

    private Evidence of(long pid, List<String> command, Map<String, String> variables) throws Exception {
        return new Gatherer(directory, command, variables, directory.resolve("kmsg"))
                .of(new EndedProcess("rank 1", 1, 1, pid, new RankEnd(ExitReason.of(134), JobPart.NONE), MEMORY, null));
    }

    private Evidence of(long pid) throws Exception {
        return of(pid, List.of("java", "train.Main"), Map.of());
    }

    private Path crashFile(String name, String resource) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, lines(resource));
    }

    @Test
    void processThatHasLeftNothingHasItsMemoryOnly() throws Exception {
        Files.writeString(directory.resolve("hs_err_pid1001.log"), "no crash\n");
        crashFile("hs_err_pid0.log", "hs_err-unsafe.txt");

        assertThat(of(1001)).isEqualTo(Evidence.of(MEMORY));
        assertThat(of(0)).as("it could not be started").isEqualTo(Evidence.of(MEMORY));
    }

    @Test
    void crashFileOfTheProcessIsRead() throws Exception {
        crashFile("hs_err_pid1002.log", "hs_err-unsafe.txt");
        Path file = crashFile("hs_err_pid1001.log", "hs_err-native-jdk17.txt");

        assertThat(of(1001).crash())
                .isNotNull()
                .returns(file.toString(), Crash::file)
                .returns("libshard.so", Crash::library);
    }

    @Test
    void crashFileIsWhereAnOptionOfTheCommandOrAVariableSays() throws Exception {
        Path ofCommand = crashFile("crashes/1001.log", "hs_err-native-jdk17.txt");
        Path ofVariable = crashFile("other/1001.log", "hs_err-unsafe.txt");
        String option = "-XX:ErrorFile=other/%p.log";

        assertThat(of(1001, List.of("java", "-XX:ErrorFile=crashes/%p.log"), Map.of())
                        .crash())
                .isNotNull()
                .returns(ofCommand.toString(), Crash::file);
        for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
            assertThat(of(1001, List.of("java"), Map.of(variable, option)).crash())
                    .isNotNull()
                    .returns(ofVariable.toString(), Crash::file);
        }
    }

    @Test
    void linesOfTheKernelAreThoseOfTheLastTwoMinutes() throws Exception {
        Duration now = KernelReader.sinceBoot();
        long early = now.minus(Duration.ofMinutes(3)).toNanos() / 1000;
        long late = now.minus(Duration.ofMinutes(1)).toNanos() / 1000;
        Files.write(
                directory.resolve("kmsg"),
                List.of(
                        "4,1,%d,-;segfault at 1".formatted(Math.max(0, early)),
                        "4,2,%d,-;segfault at 2".formatted(late)));

        assertThat(of(1001).kernel()).containsExactly("segfault at 2");
    }
}
