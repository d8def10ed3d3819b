package dev.resiliency.launcher.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Prints log files, of one cycle or of one after another. Confined to one thread. */
public final class LogReader {
    private static final Duration LOOK = Duration.ofMillis(200);

    private final LogFiles files;
    private final OutputStream out;
    private final Predicate<String> isWanted;

    /**
     * Creates a reader.
     *
     * @param rank the only rank whose lines are printed; empty for all lines
     */
    public LogReader(LogFiles files, OptionalInt rank, OutputStream out) {
        this.files = files;
        this.out = out;
        String name = rank.isPresent() ? " [rank " + rank.getAsInt() + "] " : "";
        isWanted = line -> name.isEmpty() || line.contains(name);
    }

    /** Prints what the file of a cycle contains. */
    public void print(int cycle) throws IOException, InterruptedException {
        try (FileChannel file = open(cycle)) {
            print(file, true);
        }
    }

    /** Prints the file of a cycle, and what comes later, until this thread is interrupted. Goes on to later cycles if wanted. */
    public void follow(int firstCycle, boolean goesOn) throws IOException, InterruptedException {
        int cycle = firstCycle;
        while (true) {
            try (FileChannel file = open(cycle)) {
                int next = cycle + 1;
                boolean isOver = false;
                while (!isOver) {
                    isOver = goesOn
                            && Files.exists(files.ofCycle(next)); // looked at before, so that nothing is left out
                    print(file, isOver);
                    if (!isOver) {
                        Thread.sleep(LOOK.toMillis());
                    }
                }
                cycle = next;
            }
        }
    }

    private FileChannel open(int cycle) throws IOException {
        Path file = files.ofCycle(cycle);
        if (!Files.exists(file)) {
            throw new IOException("there is no log file " + file);
        }
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    /** Prints whole lines; one that is being written is left for the next time, if there is one. */
    private void print(FileChannel file, boolean isLast) throws IOException, InterruptedException {
        long[] end = {file.position()};
        InputStream in = Channels.newInputStream(file); // not closed: it would close the channel
        try {
            LineReader.read(in, line -> {
                boolean isWhole = line[line.length - 1] == '\n';
                if (isLast || isWhole) {
                    end[0] += line.length;
                    if (isWanted.test(new String(line, StandardCharsets.UTF_8))) {
                        write(line, isWhole);
                    }
                }
            });
        } catch (UncheckedWriteException e) {
            throw e.problem;
        }
        out.flush();
        file.position(end[0]);
    }

    /** What a process has not ended, as it was killed, is a line all the same. */
    private void write(byte[] line, boolean isWhole) {
        try {
            out.write(line);
            if (!isWhole) {
                out.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedWriteException(e);
        }
    }

    private static final class UncheckedWriteException extends RuntimeException {
        private static final long serialVersionUID = 1;
        final transient IOException problem;

        UncheckedWriteException(IOException problem) {
            super(problem);
            this.problem = problem;
        }
    }
}
