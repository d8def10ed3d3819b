package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The log files of a node, one for each cycle: what its processes write, and the lines of the launcher, each with its time and the
 * name of who wrote it. A thread of its own writes them, from a bounded queue; a process waits at most a second for a slow file, the
 * launcher not at all; then lines are dropped, and counted: a line in the file says how many. Safe for use by many threads.
 *
 * <p>Thread: {@code resiliency-log}.
 */
public final class CycleLog implements AutoCloseable {
    private static final int MOST_LINES = 20_000;
    private static final int MOST_BYTES = 8 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofHours(1);
    /** Of lines that come before the node knows its cycle. */
    private static final int FIRST_CYCLE = -1;

    private final BoundedQueue<Line> lines = new BoundedQueue<>(MOST_LINES, MOST_BYTES, line -> line.bytes.length);
    private final LogFileWriter writer;
    private final Consumer<String> complaints;
    /** The way of the launcher's lines. Guarded by itself. */
    private final LineOutlet<Line> own;
    /** Lines that did not get into the queue. */
    private final LongAdder dropped = new LongAdder();

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    /** Names of processes that have started in this cycle. Guarded by this. */
    private final Set<String> started = new HashSet<>();
    /** Guarded by this. */
    private int cycle = FIRST_CYCLE;
    /** Writes the file; null before the first cycle. Guarded by this. */
    private @Nullable Thread thread;

    /** Learns what happens to the files; must not keep the threads waiting that tell it. */
    public interface Listener {
        /** So many nodes begin a cycle. */
        default void entered(int cycle, int nodes) {}

        /**
         * A file is going to be written. On the thread that writes them.
         *
         * @param size in bytes, before
         */
        default void opened(int cycle, long size) {}

        /** Lines were added to a file. On the thread that writes them. */
        default void written(int cycle) {}
    }

    private static final class Line {
        final int cycle;
        final byte[] bytes;

        Line(int cycle, byte[] bytes) {
            this.cycle = cycle;
            this.bytes = bytes;
        }
    }

    /**
     * Creates the log; it writes nothing before its first cycle.
     *
     * @param files by the numbers of cycles
     * @param complaints receive what is wrong with a file
     */
    public CycleLog(IntFunction<Path> files, Consumer<String> complaints) {
        this.complaints = complaints;
        own = new LineOutlet<>(lines, Duration.ZERO, text -> new Line(cycle(), text), dropped::add);
        writer = new LogFileWriter(
                files,
                (cycleOf, size) -> listeners.forEach(listener -> listener.opened(cycleOf, size)),
                complaints,
                System::nanoTime);
    }

    /** Adds a listener, which learns of the cycles that begin from now on. */
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** Removes a listener. */
    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    /** So many nodes begin a cycle: processes that start from now on write to its file. */
    public synchronized void enter(int newCycle, int nodes) {
        listeners.forEach(listener -> listener.entered(newCycle, nodes));
        if (newCycle == cycle) {
            return;
        }
        cycle = newCycle;
        started.clear();
        if (thread == null) {
            thread = new Thread(() -> writeAll(newCycle), "resiliency-log");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized int cycle() {
        return cycle;
    }

    /** Adds a line of the launcher. Never waits. */
    public void add(String line) {
        add((line + "\n").getBytes(UTF_8));
    }

    private void add(byte[] line) {
        synchronized (own) {
            try {
                own.write(line);
                own.flush();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Notes that a process starts. If one of its name has before in this cycle, a line says so. Never waits.
     *
     * @param reason why it starts again
     */
    void started(String name, String reason) {
        boolean isFirst;
        synchronized (this) {
            isFirst = started.add(name);
        }
        if (!isFirst) {
            String text = "---- starts again%s ----\n".formatted(reason.isEmpty() ? "" : ": " + reason);
            add(format(name, cycle()).apply(text.getBytes(UTF_8)).bytes);
        }
    }

    /** Returns the way into the file of the present cycle for a stream of a process. */
    LineOutlet<?> outlet(String name) {
        return new LineOutlet<>(lines, PATIENCE, format(name, cycle()), dropped::add);
    }

    private static Function<byte[], Line> format(String name, int cycle) {
        LinePrefix prefix = new LinePrefix(name);
        return text -> new Line(cycle, Lines.whole(prefix.at(System.currentTimeMillis()), text));
    }

    private void writeAll(int first) {
        try (writer) {
            while (!lines.isDrained()) {
                List<Line> batch = lines.take(LONG);
                int last = first;
                for (Line line : batch) {
                    int to = line.cycle == FIRST_CYCLE ? first : line.cycle;
                    writer.write(to, line.bytes);
                    if (to != last) {
                        written(last);
                        last = to;
                    }
                }
                writer.flush();
                written(last);
                lines.release(batch);
            }
            if (writer.lostInAll() > 0) {
                complaints.accept("%d lines could not be written to the log files".formatted(writer.lostInAll()));
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    private void written(int toCycle) {
        listeners.forEach(listener -> listener.written(toCycle));
    }

    /** Writes what is there, for 5 s at most, and closes the file. Says how many lines are missing in the files for want of time. */
    @Override
    public void close() {
        synchronized (own) {
            own.end();
        }
        lines.close();
        Thread writing;
        synchronized (this) {
            writing = thread;
        }
        if (writing != null) {
            try {
                writing.join(LAST_WORDS.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            long missing = dropped.sum() + lines.size();
            if (missing > 0) {
                complaints.accept(
                        "%d lines are missing in the log files, which were written too slowly".formatted(missing));
            }
        }
    }
}
