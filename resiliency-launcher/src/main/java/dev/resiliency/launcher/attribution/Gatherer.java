package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.log.OutputTail;
import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Looks for evidence about processes of this host that have ended. Confined to the thread of the attribution. */
final class Gatherer {
    /** For the last words of a process. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    /** A GPU may fail some time before its rank does. */
    private static final Duration BEFORE = Duration.ofMinutes(2);

    private static final int MOST_LINES = 400;
    private static final int LONGEST_HEAD = 1 << 18;
    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private final Path directory;
    private final List<String> options;
    private final MemoryEvents memory = MemoryEvents.ofThisProcess();
    private final KernelReader kernel;
    private long oomKills = memory.kills();

    /**
     * Creates a gatherer.
     *
     * @param directory in which the processes run
     * @param command with the options of their JVMs, perhaps
     */
    Gatherer(Path directory, List<String> command, Map<String, String> variables, Path kernelLog) {
        this.directory = directory;
        kernel = new KernelReader(kernelLog);
        options = Stream.concat(command.stream(), VARIABLES.stream().map(name -> variables.getOrDefault(name, "")))
                .toList();
    }

    /** Returns what is found; waits for about two seconds at most, unless a file system does not answer. */
    Evidence of(EndedProcess ended) throws InterruptedException {
        OutputTail tail = ended.tail();
        List<String> lines = List.of();
        if (tail != null) {
            tail.awaitEnd(LAST_WORDS);
            lines = tail.lines();
        }
        long kills = memory.kills();
        long more = Math.max(0, kills - oomKills);
        oomKills = kills;
        Duration uptime = KernelReader.sinceBoot();
        List<String> logged = kernel.since(uptime.minus(BEFORE));
        Evidence found = Evidences.of(directory.toString(), ended.pid(), lines, more, logged);
        return crash(ended, lines).and(found).and(Evidence.of(ended.memory()));
    }

    private Evidence crash(EndedProcess ended, List<String> lines) {
        if (ended.pid() == 0) {
            return Evidence.NONE;
        }
        for (Path file : Evidences.crashFiles(directory, ended.pid(), lines, options)) {
            List<String> head = head(file);
            Crash crash = head.isEmpty() ? null : Crash.parse(file.toString(), head);
            if (crash != null) {
                return Evidence.of(crash);
            }
        }
        return Evidence.NONE;
    }

    private static List<String> head(Path file) {
        List<String> lines = new ArrayList<>();
        byte[] head = new byte[LONGEST_HEAD];
        try (FileChannel channel = OwnFiles.open(file)) {
            int length = Channels.newInputStream(channel).readNBytes(head, 0, LONGEST_HEAD);
            new String(head, 0, length, StandardCharsets.ISO_8859_1)
                    .lines()
                    .limit(MOST_LINES)
                    .forEach(lines::add);
        } catch (IOException e) {
            // It is as good as none.
        }
        return lines;
    }
}
