package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.spi.guard.OwnFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends whole lines to the file of a cycle, of which one is open at a time. A line that cannot be written is lost, and counted:
 * the file names the number as soon as it can be written again. Confined to one thread.
 */
final class LogFileWriter implements AutoCloseable {
    /** How long it says nothing more of a file that can be written and again cannot. */
    static final Duration SILENCE = Duration.ofMinutes(1);

    private static final int BUFFER = 256 << 10;

    private final IntFunction<Path> files;
    private final Opener opener;
    private final Opened opened;
    private final Consumer<String> complaints;
    private final LongSupplier clock;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

    private @Nullable WritableByteChannel channel;
    private int cycle = -1;
    /** Lines in the buffer, without the notice. */
    private int buffered;
    /** Line feeds of the notice at the beginning of the buffer; 0 without one. */
    private int noticeLines;
    /** Lines that are lost since the file could last be written. */
    private long lost;

    private long lostInAll;
    /** Whether a line was written only in part. */
    private boolean endsWithinLine;
    /** When it last complained; null before. */
    private @Nullable Long complainedAt;

    private boolean owesRecovery;

    /** Opens a file at whose end lines are added. */
    @FunctionalInterface
    interface Opener {
        WritableByteChannel open(Path file) throws IOException;
    }

    /** Receives a file that was opened. */
    @FunctionalInterface
    interface Opened {
        /** Receives its cycle, and its size in bytes. */
        void accept(int cycle, long size);
    }

    /** Returns a writer of one of the standard streams, which stays open. */
    static LogFileWriter of(WritableByteChannel stream, String name, Consumer<String> complaints) {
        Path path = Path.of(name);
        return new LogFileWriter(cycle -> path, file -> stream, (cycle, size) -> {}, complaints, System::nanoTime);
    }

    /**
     * Creates the writer.
     *
     * @param opened receives a cycle whose file was opened, and the size of that
     * @param complaints receive that the file cannot be written, once a minute at most, and that it can be again
     */
    LogFileWriter(IntFunction<Path> files, Opened opened, Consumer<String> complaints, LongSupplier clock) {
        this(files, OwnFiles::append, opened, complaints, clock);
    }

    LogFileWriter(
            IntFunction<Path> files, Opener opener, Opened opened, Consumer<String> complaints, LongSupplier clock) {
        this.files = files;
        this.opener = opener;
        this.opened = opened;
        this.complaints = complaints;
        this.clock = clock;
    }

    /** Appends a line, which ends with a line feed; it is in the file after {@link #flush}. */
    void write(int ofCycle, byte[] line) {
        if (ofCycle != cycle) {
            flush();
            closeFile();
            cycle = ofCycle;
        }
        if (line.length > buffer.remaining()) {
            flush();
        }
        if (lost > 0 && buffered == 0) {
            buffer.put(notice());
            noticeLines = endsWithinLine ? 2 : 1;
        }
        buffer.put(line);
        buffered++;
    }

    private byte[] notice() {
        return "%s… %d lines are missing here, as the file could not be written\n"
                .formatted(endsWithinLine ? "\n" : "", lost)
                .getBytes(UTF_8);
    }

    /** Writes what is buffered. */
    void flush() {
        if (buffered == 0) {
            return;
        }
        buffer.flip();
        try {
            WritableByteChannel open = open();
            while (buffer.hasRemaining()) {
                open.write(buffer);
            }
            if (lost > 0) {
                recovered();
            }
            endsWithinLine = false;
        } catch (IOException e) {
            failed(e);
        } finally {
            buffer.clear();
            buffered = 0;
            noticeLines = 0;
        }
    }

    private WritableByteChannel open() throws IOException {
        WritableByteChannel open = channel;
        if (open == null) {
            open = opener.open(files.apply(cycle));
            channel = open;
            opened.accept(cycle, open instanceof FileChannel file ? file.size() : 0);
        }
        return open;
    }

    private void recovered() {
        if (owesRecovery) {
            complaints.accept("%s is written again; %d lines are missing in it".formatted(files.apply(cycle), lost));
            owesRecovery = false;
        }
        lost = 0;
    }

    /** Some of the buffer may have been written. */
    private void failed(IOException problem) {
        int written = buffer.position();
        int lineFeeds = 0;
        for (int at = 0; at < written; at++) {
            lineFeeds += buffer.get(at) == '\n' ? 1 : 0;
        }
        if (written > 0) {
            endsWithinLine = buffer.get(written - 1) != '\n';
        }
        boolean isNew = lost == 0;
        if (noticeLines > 0 && lineFeeds >= noticeLines) {
            lost = 0;
        }
        int lostNow = buffered - Math.max(0, lineFeeds - noticeLines);
        lost += lostNow;
        lostInAll += lostNow;
        long now = clock.getAsLong();
        if (isNew && (complainedAt == null || now - complainedAt >= SILENCE.toNanos())) {
            complaints.accept(
                    "%s cannot be written: %s. The job goes on; its lines are lost and counted until there is room"
                            .formatted(files.apply(cycle), problem.getMessage()));
            owesRecovery = true;
        }
        complainedAt = now;
    }

    /** Returns how many lines could not be written. */
    long lostInAll() {
        return lostInAll;
    }

    private void closeFile() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                complaints.accept("%s could not be closed: %s".formatted(files.apply(cycle), e.getMessage()));
            }
            channel = null;
        }
        endsWithinLine = false;
        lost = 0;
        owesRecovery = false;
    }

    /** Writes what is buffered, and closes the file. */
    @Override
    public void close() {
        flush();
        closeFile();
    }
}
