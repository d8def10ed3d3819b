package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of all nodes in a cycle, each behind its node and its number there: {@code host1:17 2026-01-07 14:02:11.205 [rank 3]
 * step 100}. Where lines of a node are missing, a line says which. Confined to one thread.
 */
final class MergedFile implements AutoCloseable {
    private static final Pattern NUMBER = Pattern.compile("^(\\S+?):(\\d{1,18})(?:-(\\d{1,18}))? ");
    private static final int FIRST_BUFFER = 256 << 10;

    private final FileChannel channel;
    private final Map<String, Senders> nodes = new HashMap<>();

    private long size;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BUFFER);

    private MergedFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens a file; reads it if it is there, to know which lines it has. */
    static MergedFile open(Path path) throws IOException {
        FileChannel channel = OwnFiles.update(path);
        try {
            MergedFile file = new MergedFile(channel);
            file.read();
            return file;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** A server that was killed may have left a part of a line, which is not there for anybody, and sent again. */
    private void read() throws IOException {
        // Not closed: it would close the channel.
        BufferedReader reader = new BufferedReader(Channels.newReader(channel, ISO_8859_1), 1 << 20);
        long wholeLines = 0;
        StringBuilder line = new StringBuilder();
        for (int next = reader.read(); next >= 0; next = reader.read()) {
            line.append((char) next);
            if (next == '\n') {
                wholeLines += line.length();
                note(line);
                line.setLength(0);
            }
        }
        size = wholeLines;
        channel.position(size);
        if (isOfAServer(line)) {
            channel.truncate(size); // it is sent again
        } else if (!line.isEmpty()) {
            size += line.length();
            channel.position(size);
            buffer.clear().put((byte) '\n').flip();
            write();
        }
    }

    /** Returns whether a server has begun this line that has no end, and not somebody else whose file was here before. */
    private boolean isOfAServer(StringBuilder line) {
        return NUMBER.matcher(line).find() || (!nodes.isEmpty() && line.indexOf(" ") < 0);
    }

    private void note(CharSequence line) {
        Matcher matcher = NUMBER.matcher(line);
        if (matcher.find()) {
            String number = matcher.group(3) == null ? matcher.group(2) : matcher.group(3);
            senders(matcher.group(1)).found(Long.parseLong(number));
        }
    }

    private Senders senders(String node) {
        return nodes.computeIfAbsent(node, unused -> new Senders());
    }

    /** Returns the number of the last line of a node that this sender has sent; of any, if it has sent none; 0 if there is none. */
    long last(String node, long session) {
        Senders senders = nodes.get(node);
        return senders == null ? 0 : senders.last(session);
    }

    /** Returns how many nodes have lines in it. */
    int nodes() {
        return nodes.size();
    }

    /**
     * Appends lines of a node, but for those that are there already.
     *
     * @param session of the process that sends them
     * @param firstLine the number of the first one; 0 if the node does not number its lines
     * @return whether no other process sends lines of this node
     * @throws IOException if that is impossible; then none of them is there
     */
    boolean append(String node, long session, long firstLine, byte[] lines) throws IOException {
        Senders senders = senders(node);
        long known = senders.before(session, firstLine);
        long number = firstLine == 0 ? known + 1 : firstLine;
        buffer.clear();
        if (number > known + 1 && lines.length > 0) {
            putGap(node, known + 1, number - 1);
        }
        LineHead head = new LineHead(node, number);
        int to;
        for (int from = 0; from < lines.length; from = to + 1) {
            to = from;
            while (to < lines.length && lines[to] != '\n') {
                to++;
            }
            if (number > known) {
                putLine(head, lines, from, to);
            }
            number++;
            head.advance();
        }
        buffer.flip();
        write();
        return senders.sent(session, Math.max(known, number - 1));
    }

    private void putGap(String node, long first, long to) {
        long missing = to - first + 1;
        byte[] line = "%s:%d-%d … %d %s missing here\n"
                .formatted(node, first, to, missing, missing == 1 ? "line is" : "lines are")
                .getBytes(UTF_8);
        makeRoom(line.length);
        buffer.put(line);
    }

    private void putLine(LineHead head, byte[] lines, int from, int to) {
        makeRoom(head.length() + to - from + 1);
        head.putTo(buffer);
        buffer.put(lines, from, to - from);
        buffer.put((byte) '\n');
    }

    private void makeRoom(int length) {
        if (buffer.remaining() < length) {
            ByteBuffer larger = ByteBuffer.allocate(2 * (buffer.capacity() + length));
            buffer.flip();
            buffer = larger.put(buffer);
        }
    }

    private void write() throws IOException {
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            size += buffer.limit();
        } catch (IOException e) {
            channel.truncate(size); // so that no part of a line stays
            channel.position(size);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
