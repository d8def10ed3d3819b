package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
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
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors))) {
            output.read("rank 3", stream("step 1\n\nwithout an end"), stream("ß\n"));
        }

        assertThat(printed.toString(UTF_8)).isEqualTo("[rank 3] step 1\n[rank 3] \n[rank 3] without an end\n");
        assertThat(printedErrors.toString(UTF_8)).isEqualTo("[rank 3] ß\n");
    }

    @Test
    void linesOfManyProcessesStayWhole() {
        String lines =
                IntStream.range(0, 500).mapToObj(i -> "x".repeat(100) + "\n").collect(Collectors.joining());
        try (RankOutput output = new RankOutput(to(printed), to(printedErrors))) {
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

        try (RankOutput output = new RankOutput(stuck, to(printedErrors))) {
            output.read("rank 0", process, stream(""));
            isAllRead.await();
            isReadAgain.countDown();
        }

        assertThat(printed.toString(UTF_8).lines()).hasSizeBetween(10_000, 10_100);
    }
}
