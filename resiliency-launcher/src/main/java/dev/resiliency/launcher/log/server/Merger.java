package dev.resiliency.launcher.log.server;

import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.rpc.log.LogChunk;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Appends chunks to the files of their cycles, of which few are open at a time. Confined to the thread of the server. */
final class Merger implements AutoCloseable {
    private static final int MOST_FILES = 4;
    private static final int LONGEST_NODE = 128;
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
     * @return the number of the last line of its node and cycle
     * @throws IOException if that is impossible; the chunk is then to be sent again
     * @throws IllegalArgumentException if the chunk names no cycle
     */
    long append(LogChunk chunk) throws IOException {
        int cycle = LogFiles.cycleOf(chunk.getFilePath())
                .orElseThrow(() -> new IllegalArgumentException(
                        "file_path '%s' names no cycle, as in train_cycle0.log".formatted(chunk.getFilePath())));
        String node = nameOf(chunk.getNodeId());
        try {
            MergedFile file = file(cycle);
            if (!chunk.getData().isEmpty()) {
                file.append(node, chunk.getFirstLine(), chunk.getData().toByteArray());
            }
            return file.last(node);
        } catch (IOException e) {
            forget(cycle);
            complain(cycle, e);
            throw e;
        }
    }

    /** It stands in front of each line, so it must be one word. */
    private static String nameOf(String node) {
        String name = node.replaceAll("[^!-~]|:", "_");
        return name.isEmpty() ? "unknown" : name.substring(0, Math.min(name.length(), LONGEST_NODE));
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

    private void complain(int cycle, IOException problem) {
        long now = System.nanoTime();
        if (complainedAt == null || now - complainedAt >= SILENCE) {
            complaints.accept("%s cannot be written: %s. The nodes keep their lines, and send them again"
                    .formatted(files.ofCycle(cycle), problem.getMessage()));
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
