package dev.resiliency.testing.it;

import dev.resiliency.store.spi.guard.Processes;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts processes with ever fewer descriptors, while another thread opens and closes files. Prints how many have started, and fails if a
 * file of the thread was closed by somebody else.
 */
public final class StarvedProgram {
    private static final int HIGHEST = 40;
    /** With fewer, a start fails halfway. */
    private static final int ENOUGH = 12;

    private static final int TRIES = 300;

    private StarvedProgram() {}

    /** Runs the program. */
    public static void main(String[] arguments) throws Exception {
        start(); // opens what stays open
        Deque<FileInputStream> held = new ArrayDeque<>();
        limitDescriptors();
        fill(held);
        for (int i = 0; i < HIGHEST; i++) {
            held.pop().close();
        }
        AtomicBoolean isOver = new AtomicBoolean();
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        Thread neighbour = new Thread(() -> openAndClose(isOver, wrong));
        neighbour.start();
        int started = 0;
        for (int room = HIGHEST; room > 0; room--) {
            for (int i = 0; i < (room < ENOUGH ? TRIES : 1); i++) {
                started += start() ? 1 : 0;
            }
            fill(held, 1);
        }
        isOver.set(true);
        neighbour.join();
        System.out.println(started + " have started; closed by others: " + wrong);
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    private static boolean start() throws InterruptedException {
        try {
            Processes.start(new ProcessBuilder("true").redirectInput(new File("/dev/null")))
                    .waitFor();
            return true;
        } catch (IOException tooFew) {
            return false;
        }
    }

    private static void limitDescriptors() throws IOException, InterruptedException {
        int open = Objects.requireNonNull(new File("/proc/self/fd").list()).length;
        new ProcessBuilder(
                        "prlimit",
                        "--pid",
                        Long.toString(ProcessHandle.current().pid()),
                        "--nofile=" + (open + 2 * HIGHEST) + ":")
                .inheritIO()
                .start()
                .waitFor();
    }

    private static void fill(Deque<FileInputStream> held) {
        fill(held, Integer.MAX_VALUE);
    }

    private static void fill(Deque<FileInputStream> held, int most) {
        try {
            for (int i = 0; i < most; i++) {
                held.push(new FileInputStream("/dev/null"));
            }
        } catch (IOException full) {
            // as intended
        }
    }

    private static void openAndClose(AtomicBoolean isOver, Queue<String> wrong) {
        while (!isOver.get()) {
            try (FileInputStream file = new FileInputStream("/dev/null")) {
                Thread.onSpinWait();
                file.read();
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains("Too many open files")) {
                    wrong.add(String.valueOf(e.getMessage()));
                }
            }
        }
    }
}
