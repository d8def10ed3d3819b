package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RankOutputTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream printedErrors = new ByteArrayOutputStream();

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    private static RankOutput output(OutputStream output, OutputStream errors, boolean isShared) {
        return new RankOutput(Channels.newChannel(output), Channels.newChannel(errors), isShared, null, text -> {});
    }

    @Test
    void eachLineNamesItsProcess() {
        try (RankOutput output = output(printed, printedErrors, true)) {
            output.read("rank 3", stream("step 1\n\nwithout an end"), stream("ß\n"));
        }

        assertThat(printed.toString(UTF_8)).isEqualTo("[rank 3] step 1\n[rank 3] \n[rank 3] without an end\n");
        assertThat(printedErrors.toString(UTF_8)).isEqualTo("[rank 3] ß\n");
    }

    @Test
    void linesOfManyProcessesStayWhole() {
        String lines =
                IntStream.range(0, 500).mapToObj(i -> "x".repeat(100) + "\n").collect(Collectors.joining());
        try (RankOutput output = output(printed, printedErrors, true)) {
            for (int rank = 0; rank < 8; rank++) {
                output.read("rank " + rank, stream(lines), stream(""));
            }
        }

        assertThat(printed.toString(UTF_8).lines()).hasSize(4000).allMatch(line -> line.matches("\\[rank \\d] x{100}"));
    }

    @Test
    void processIsNotStoppedByAnOutputThatNobodyReads() throws Exception {
        CountDownLatch isReadAgain = new CountDownLatch(1);
        OutputStream stuck = new FilterOutputStream(printed) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                try {
                    isReadAgain.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                out.write(bytes, from, length);
            }
        };
        String lines = "line\n".repeat(30_000);
        CountDownLatch isAllRead = new CountDownLatch(1);
        InputStream process = new ByteArrayInputStream(lines.getBytes(UTF_8)) {
            @Override
            public void close() {
                isAllRead.countDown();
            }
        };

        try (RankOutput output = output(stuck, printedErrors, true)) {
            output.read("rank 0", process, stream(""));
            isAllRead.await();
            isReadAgain.countDown();
        }

        assertThat(printed.toString(UTF_8).lines()).hasSizeBetween(10_000 - 64, 10_100);
    }

    @Test
    void linesThatAFullDiskDoesNotTakeAreCountedAndSaid() throws Exception {
        AtomicBoolean isFull = new AtomicBoolean(true);
        WritableByteChannel taker = Channels.newChannel(printed);
        WritableByteChannel disk = new WritableByteChannel() {
            @Override
            public int write(ByteBuffer bytes) throws IOException {
                if (isFull.get()) {
                    throw new IOException("No space left on device");
                }
                return taker.write(bytes);
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        BlockingQueue<String> complaints = new LinkedBlockingQueue<>();
        try (RankOutput output =
                new RankOutput(disk, Channels.newChannel(printedErrors), true, null, complaints::add)) {
            output.read("rank 0", stream("one\ntwo\n"), stream(""));
            assertThat(complaints.take()).startsWith("standard output cannot be written: No space left on device");
            isFull.set(false);
            output.read("rank 0", stream("three\n"), stream(""));
        }

        assertThat(printed.toString(UTF_8))
                .isEqualTo("… 2 lines are missing here, as the file could not be written\n[rank 0] three\n");
        assertThat(complaints)
                .containsExactly(
                        "standard output is written again; 2 lines are missing in it", "2 lines could not be printed");
    }

    @Test
    void outputOfSingleProcessStaysAsItIs() {
        try (RankOutput output = output(printed, printedErrors, false)) {
            assertThat(output.of("rank 0", "").sharesInput()).isTrue();
            output.of("rank 0", "").read(stream("first\n" + "x".repeat(200_000) + "\nno end"), stream("\n"));
        }

        assertThat(printed.toString(UTF_8)).isEqualTo("first\n" + "x".repeat(200_000) + "\nno end");
        assertThat(printedErrors.toString(UTF_8)).isEqualTo("\n");
    }

    @Test
    void lastLinesOfEachProcessAreKept() throws Exception {
        String lines = IntStream.range(0, 500).mapToObj(i -> "step " + i + "\n").collect(Collectors.joining());
        try (RankOutput output = output(printed, printedErrors, true)) {
            output.read("rank 0", stream(lines), stream(""));
            output.read("rank 1", stream("out\n"), stream("\tat Main.main\r\nlast words"));
            OutputTail first = output.tail("rank 0").orElseThrow();
            OutputTail second = output.tail("rank 1").orElseThrow();

            assertThat(first.awaitEnd(Duration.ofMinutes(1))).isTrue();
            assertThat(second.awaitEnd(Duration.ofMinutes(1))).isTrue();
            assertThat(first.lines()).hasSize(200).startsWith("step 300").endsWith("step 499");
            assertThat(second.lines()).contains("out").containsSubsequence("\tat Main.main", "last words");
            assertThat(output.tail("rank 2")).isEmpty();
        }
    }

    @Test
    void tailOfLongLinesIsBounded() throws Exception {
        try (RankOutput output = output(printed, printedErrors, true)) {
            output.read("rank 0", stream(("x".repeat(30_000) + "\n").repeat(100)), stream(""));
            OutputTail tail = output.tail("rank 0").orElseThrow();

            assertThat(tail.awaitEnd(Duration.ofMinutes(1))).isTrue();
            assertThat(tail.lines()).hasSize(2);
        }
    }

    @Test
    void tailBeginsAnewWithEachProcess() throws Exception {
        try (RankOutput output = output(printed, printedErrors, true)) {
            output.read("rank 0", stream("first process\n"), stream(""));
            assertThat(output.tail("rank 0").orElseThrow().awaitEnd(Duration.ofMinutes(1)))
                    .isTrue();
            output.read("rank 0", stream("second process\n"), stream(""));
            OutputTail tail = output.tail("rank 0").orElseThrow();

            assertThat(tail.awaitEnd(Duration.ofMinutes(1))).isTrue();
            assertThat(tail.lines()).containsExactly("second process");
        }
    }

    @Test
    void tailsOfProcessesOfFormerNamesAreForgotten() throws Exception {
        try (RankOutput output = output(printed, printedErrors, true)) {
            for (int rank = 0; rank < 300; rank++) {
                output.read("rank " + rank, stream("line\n"), stream(""));
                assertThat(output.tail("rank " + rank).orElseThrow().awaitEnd(Duration.ofMinutes(1)))
                        .isTrue();
            }

            assertThat(output.tail("rank 0")).isEmpty();
            assertThat(output.tail("rank 299")).isPresent();
        }
    }
}
