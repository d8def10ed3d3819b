package dev.resiliency.launcher.attribution.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last lines of a log, without their times: what has ended a cycle stands at the end of its log, however long that is.
 *
 * @param lines oldest first
 */
record LogReading(List<Line> lines) {
    private static final int MOST_BYTES = 4 << 20;
    private static final int LONGEST_LINE = 2000;
    /** What a launcher writes before a line: where it is in the log of a node, its time, and who has written it. */
    private static final Pattern PREFIX = Pattern.compile(
            "(?:[^ \\[]+:\\d+ )?(?:\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} )?\\[([^]]{1,80})] ?(.*)");
    /** What torchrun and others write. */
    private static final Pattern RANK = Pattern.compile("(?:\\[?(?:default)?(\\d{1,6})]?): (.*)");

    /**
     * A line.
     *
     * @param who has written it, such as {@code rank 3}; empty if it does not say
     */
    record Line(String who, String text) {}

    /** Copies the list. */
    LogReading {
        lines = List.copyOf(lines);
    }

    /** Reads the end of a file. */
    static LogReading of(Path file) throws IOException {
        byte[] bytes;
        boolean isCut;
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = channel.size();
            isCut = size > MOST_BYTES;
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(size, MOST_BYTES));
            long at = size - buffer.capacity();
            while (buffer.hasRemaining()) {
                int read = channel.read(buffer, at + buffer.position());
                if (read < 0) {
                    break; // it has become shorter
                }
            }
            bytes = buffer.flip().array();
        }
        List<Line> lines = new ArrayList<>();
        String[] texts = new String(bytes, UTF_8).split("\r?\n", -1);
        for (int i = isCut ? 1 : 0; i < texts.length; i++) {
            if (!texts[i].isEmpty()) {
                lines.add(parse(texts[i].length() <= LONGEST_LINE ? texts[i] : texts[i].substring(0, LONGEST_LINE)));
            }
        }
        return new LogReading(lines);
    }

    static Line parse(String text) {
        Matcher rank = RANK.matcher(text);
        if (rank.matches()) {
            return new Line("rank " + rank.group(1), rank.group(2));
        }
        Matcher prefixed = PREFIX.matcher(text);
        return prefixed.matches() ? new Line(prefixed.group(1), prefixed.group(2)) : new Line("", text);
    }
}
