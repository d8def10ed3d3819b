package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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

    private static PrintStream to(ByteArrayOutputStream target) {
        return new PrintStream(target, false, UTF_8);
    }

    @Test
    void eachLineNamesItsProcess() {
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors), true, null)) {
            output.read("rank 3", stream("step 1\n\nwithout an end"), stream("ß\n"));
        }

        assertThat(printed.toString(UTF_8)).isEqualTo("[rank 3] step 1\n[rank 3] \n[rank 3] without an end\n");
        assertThat(printedErrors.toString(UTF_8)).isEqualTo("[rank 3] ß\n");
    }

    @Test
    void linesOfManyProcessesStayWhole() {
        String lines =
                IntStream.range(0, 500).mapToObj(i -> "x".repeat(100) + "\n").collect(Collectors.joining());
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors), true, null)) {
            for (int rank = 0; rank < 8; rank++) {
                output.read("rank " + rank, stream(lines), stream(""));
            }
        }

        assertThat(printed.toString(UTF_8).lines()).hasSize(4000).allMatch(line -> line.matches("\\[rank \\d] x{100}"));
    }

    @Test
    void processIsNotStoppedByAnOutputThatNobodyReads() throws Exception {
        CountDownLatch isReadAgain = new CountDownLatch(1);
        PrintStream stuck = new PrintStream(printed, false, UTF_8) {
            @Override
            public void write(byte[] bytes, int from, int length) {
                try {
                    isReadAgain.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.write(bytes, from, length);
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

        try (RankOutput output = new RankOutput(stuck, to(printedErrors), true, null)) {
            output.read("rank 0", process, stream(""));
            isAllRead.await();
            isReadAgain.countDown();
        }

        assertThat(printed.toString(UTF_8).lines()).hasSizeBetween(10_000 - 64, 10_100);
    }

    @Test
    void outputOfSingleProcessStaysAsItIs() {
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors), false, null)) {
            assertThat(output.of("rank 0", "").sharesInput()).isTrue();
            output.of("rank 0", "").read(stream("first\n" + "x".repeat(200_000) + "\nno end"), stream("\n"));
        }

        assertThat(printed.toString(UTF_8)).isEqualTo("first\n" + "x".repeat(200_000) + "\nno end");
        assertThat(printedErrors.toString(UTF_8)).isEqualTo("\n");
    }

    @Test
    void lastLinesOfEachProcessAreKept() throws Exception {
        String lines = IntStream.range(0, 500).mapToObj(i -> "step " + i + "\n").collect(Collectors.joining());
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors), true, null)) {
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
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors), true, null)) {
            output.read("rank 0", stream(("x".repeat(30_000) + "\n").repeat(100)), stream(""));
            OutputTail tail = output.tail("rank 0").orElseThrow();

            assertThat(tail.awaitEnd(Duration.ofMinutes(1))).isTrue();
            assertThat(tail.lines()).hasSize(2);
        }
    }

    @Test
    void tailBeginsAnewWithEachProcess() throws Exception {
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors), true, null)) {
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
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors), true, null)) {
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
