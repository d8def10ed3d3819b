package dev.resiliency.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes the processes of a test that timed out.
 *
 * @since 0.1.0
 */
public final class Diagnosis {
    private static final int LAST_LINES = 40;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private Diagnosis() {}

    /**
     * Describes each JVM among a process and its living descendants: its command, and the stacks of its threads. {@link
     * RankProcess} does this itself for the ranks of a {@link ProcessJob}.
     */
    public static String of(ProcessHandle root) {
        return Stream.concat(Stream.of(root), root.descendants())
                .filter(Diagnosis::isJvm)
                .map(jvm -> """
                    ==== process %d, %s
                    command: %s
                    ---- its threads
                    %s\
                    """.formatted(
                        jvm.pid(), state(jvm.pid()), jvm.info().commandLine().orElse("unknown"), threads(jvm.pid())))
                .collect(Collectors.joining("\n"));
    }

    /** Returns whether this is a JVM: {@code jcmd} would send SIGQUIT to any other program. */
    private static boolean isJvm(ProcessHandle process) {
        return process.info().command().filter(path -> path.endsWith("/java")).isPresent();
    }

    /**
     * Describes each process: whether it is alive, its output and the end of its log, then the stacks of its threads.
     * What all have said comes first: a report that keeps only the beginning still tells what happened.
     */
    static String of(Collection<RankProcess> processes) {
        return Stream.concat(
                        processes.stream().map(Diagnosis::said),
                        processes.stream().map(Diagnosis::stacks))
                .collect(Collectors.joining("\n"));
    }

    private static String said(RankProcess rank) {
        return """
            ==== rank %d, process %d, %s
            output: %s
            ---- the end of its log
            %s\
            """.formatted(rank.rank(), rank.pid(), state(rank.pid()), rank.lines(), endOf(rank.logFile()));
    }

    private static String stacks(RankProcess rank) {
        return """
            ==== rank %d, process %d: its threads
            %s\
            """.formatted(rank.rank(), rank.pid(), rank.isAlive() ? threads(rank.pid()) : "it has ended");
    }

    /** Returns, for example, "T (stopped)"; a process that is stopped or dumping core does not answer {@code jcmd}. */
    private static String state(long pid) {
        return state(Path.of("/proc", Long.toString(pid), "status"));
    }

    /** A process that ends meanwhile leaves a file that cannot be read any more, although it is open. */
    static String state(Path status) {
        try {
            return Files.readAllLines(status, ISO_8859_1).stream()
                    .filter(line -> line.startsWith("State:"))
                    .findFirst()
                    .orElse("State: unknown");
        } catch (IOException e) {
            return "State: has ended";
        }
    }

    private static String endOf(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "unreadable: " + e;
        }
    }

    private static String threads(long pid) {
        Path answer = null;
        try {
            answer = Files.createTempFile("threads", ".txt");
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            "Thread.print")
                    .redirectErrorStream(true)
                    .redirectOutput(answer.toFile())
                    .start();
            if (!jcmd.waitFor(Patience.stretch(LIMIT).toMillis(), TimeUnit.MILLISECONDS)) {
                jcmd.destroyForcibly();
            }
            return Files.readString(answer, UTF_8);
        } catch (IOException e) {
            return "unknown: " + e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown: interrupted";
        } finally {
            delete(answer);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.delete(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
