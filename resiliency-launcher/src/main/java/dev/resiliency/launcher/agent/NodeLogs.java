package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.LogSettings;
import dev.resiliency.launcher.log.CycleLog;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.RankOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What becomes of the output of a node: its log files, if any are kept. */
final class NodeLogs implements AutoCloseable {
    /** Null if no files are kept. */
    private final @Nullable CycleLog files;

    private NodeLogs(@Nullable CycleLog files) {
        this.files = files;
    }

    /**
     * Prepares the log files.
     *
     * @throws IOException if their directory cannot be created; names it
     */
    static NodeLogs open(LogSettings settings, LauncherLog log) throws IOException {
        if (settings.prefix() == null) {
            return new NodeLogs(null);
        }
        LogFiles names = LogFiles.of(settings.prefix());
        try {
            names.createDirectory();
        } catch (IOException e) {
            throw new IOException("the directory of the log files %s cannot be created: %s".formatted(names, e), e);
        }
        CycleLog files = new CycleLog(names::ofCycle, log::line);
        log.copyTo(files::add);
        return new NodeLogs(files);
    }

    /** Returns where the processes of the node write; null if a single one writes to the terminal of this one. */
    @Nullable
    RankOutput output(boolean isShared) {
        return isShared ? RankOutput.ofSeveral(files) : RankOutput.ofOne(files).orElse(null);
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
    }
}
