package dev.resiliency.launcher.attribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the kernel's log, lazily: it retains old records, so nothing is read before the first fault. Java cannot read a device without
 * blocking, so a thread does it, and waits for the next record for good. The records belong to the monitor of this.
 *
 * <p>Thread: {@code resiliency-kernel-log}.
 */
final class KernelReader {
    private static final int MOST = 200;
    private static final int LONGEST_RECORD = 8192;
    private static final int MOST_FAILURES = 1000;
    /** How long the thread may take to begin, on a busy host; the kernel's log is never empty. */
    private static final Duration BEGIN = Duration.ofSeconds(1);

    private static final Duration LOOK = Duration.ofMillis(20);
    /** After so many looks without another record, the thread has read them all: on a busy host it may stand still for a while. */
    private static final int QUIET_LOOKS = 5;

    private static final int MOST_LOOKS = 50;

    private final Deque<KernelLog.Line> notable = new ArrayDeque<>();
    private final Path log;
    private long lines;
    private boolean hasEnded;
    private @Nullable Thread thread;

    /** Creates a reader of {@code /dev/kmsg}, or of a pipe with records like its. */
    KernelReader(Path log) {
        this.log = log;
    }

    /** Returns the notable lines since a time, or none if the log cannot be read. Waits until the thread has read what is there. */
    List<String> since(Duration afterBoot) throws InterruptedException {
        start();
        awaitBegin();
        long known = count();
        for (int looks = 0, quiet = 0; looks < MOST_LOOKS && quiet < QUIET_LOOKS; looks++) {
            Thread.sleep(LOOK.toMillis());
            quiet = known == count() ? quiet + 1 : 0;
            known = count();
        }
        return notable(afterBoot);
    }

    private synchronized void start() {
        if (thread == null) {
            thread = new Thread(this::read, "resiliency-kernel-log");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized void awaitBegin() throws InterruptedException {
        long deadline = System.nanoTime() + BEGIN.toNanos();
        for (long left = BEGIN.toNanos(); lines == 0 && !hasEnded && left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private synchronized long count() {
        return lines;
    }

    private synchronized List<String> notable(Duration afterBoot) {
        return notable.stream()
                .filter(line -> line.sinceBoot().compareTo(afterBoot) >= 0)
                .map(KernelLog.Line::text)
                .toList();
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocate(LONGEST_RECORD);
        try (FileChannel channel = FileChannel.open(log)) {
            for (int failures = 0; failures < MOST_FAILURES; ) {
                buffer.clear();
                try {
                    if (channel.read(buffer) < 0) {
                        return;
                    }
                    add(KernelLog.parse(UTF_8.decode(buffer.flip()).toString()));
                } catch (IOException overwritten) {
                    failures++; // the next record follows
                }
            }
        } catch (IOException notAllowed) {
            // Most hosts let only root read it.
        } finally {
            end();
        }
    }

    private synchronized void end() {
        hasEnded = true;
        notifyAll();
    }

    private synchronized void add(List<KernelLog.Line> read) {
        lines += read.size();
        notifyAll();
        for (KernelLog.Line line : read) {
            if (KernelLog.isNotable(line.text())) {
                notable.add(line);
            }
        }
        while (notable.size() > MOST) {
            notable.remove();
        }
    }

    /** Returns how long this host has run. */
    static Duration sinceBoot() {
        try {
            String text = Files.readString(Path.of("/proc/uptime"));
            return Duration.ofMillis((long) (1000 * Double.parseDouble(text.substring(0, text.indexOf(' ')))));
        } catch (IOException | RuntimeException unknown) {
            return Duration.ZERO;
        }
    }
}
