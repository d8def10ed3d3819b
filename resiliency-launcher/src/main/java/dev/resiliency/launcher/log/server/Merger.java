package dev.resiliency.launcher.log.server;

import dev.resiliency.launcher.log.EncodedName;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.rpc.log.LogChunk;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Appends chunks to the files of their cycles, of which few are open at a time. Confined to the thread of the server. */
final class Merger implements AutoCloseable {
    private static final int MOST_FILES = 4;
    /** More lines than any file has; such numbers have 17 digits. */
    private static final long LAST_LINE = 99_999_999_999_999_999L;

    /** A name stands in front of each line, so it must be one word. */
    private static final Pattern IN_LINE = Pattern.compile("[!-~&&[^:]]");

    private static final long SILENCE = Duration.ofMinutes(1).toNanos();

    private final LogFiles files;
    private final Consumer<String> complaints;
    /** By cycle; the one that was used last is the last one. */
    private final Map<Integer, MergedFile> open = new LinkedHashMap<>(16, 0.75f, true);
    /** When it last complained; null before. */
    private @Nullable Long complainedAt;

    Merger(LogFiles files, Consumer<String> complaints) {
        this.files = files;
        this.complaints = complaints;
    }

    /**
     * Appends a chunk. One without data only asks.
     *
     * @return the number of the last line of its sender in this cycle
     * @throws IOException if that is impossible; the chunk is then to be sent again
     * @throws IllegalArgumentException if the chunk names no cycle, or a line that cannot be
     */
    long append(LogChunk chunk) throws IOException {
        int cycle = LogFiles.cycleOf(chunk.getFilePath())
                .orElseThrow(() -> new IllegalArgumentException(
                        "file_path '%s' names no cycle, as in train_cycle0.log".formatted(chunk.getFilePath())));
        if (chunk.getFirstLine() < 0
                || chunk.getFirstLine() > LAST_LINE) { // in protobuf's Java, large numbers are negative
            throw new IllegalArgumentException(
                    "first_line is %s".formatted(Long.toUnsignedString(chunk.getFirstLine())));
        }
        String node = EncodedName.of(chunk.getNodeId(), IN_LINE);
        try {
            MergedFile file = file(cycle);
            if (!chunk.getData().isEmpty()) {
                boolean isAlone = file.append(
                        node,
                        chunk.getSession(),
                        chunk.getFirstLine(),
                        chunk.getData().toByteArray());
                if (!isAlone) {
                    complain("several processes send lines as node %s; each counts its own, and all of them are in %s"
                            .formatted(node, files.ofCycle(cycle)));
                }
            }
            return file.last(node, chunk.getSession());
        } catch (IOException e) {
            forget(cycle);
            complain("%s cannot be written: %s. The nodes keep their lines, and send them again"
                    .formatted(files.ofCycle(cycle), e.getMessage()));
            throw e;
        }
    }

    /** Returns how many nodes have lines in the file of a cycle that is open. */
    int nodes(int cycle) {
        MergedFile file = open.get(cycle);
        return file == null ? 0 : file.nodes();
    }

    private MergedFile file(int cycle) throws IOException {
        MergedFile file = open.get(cycle);
        if (file == null) {
            files.createDirectory();
            file = MergedFile.open(files.ofCycle(cycle));
            open.put(cycle, file);
            Iterator<MergedFile> oldest = open.values().iterator();
            while (open.size() > MOST_FILES) {
                oldest.next().close();
                oldest.remove();
            }
        }
        return file;
    }

    /** What it contains is read again. */
    private void forget(int cycle) {
        MergedFile file = open.remove(cycle);
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // It is not used any more.
            }
        }
    }

    private void complain(String problem) {
        long now = System.nanoTime();
        if (complainedAt == null || now - complainedAt >= SILENCE) {
            complaints.accept(problem);
            complainedAt = now;
        }
    }

    @Override
    public void close() {
        for (Integer cycle : open.keySet().toArray(Integer[]::new)) {
            forget(cycle);
        }
    }
}
