package dev.resiliency.examples.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextChartTest {

    @Test
    void chartHasARowForEachRankAndALetterForEachPart() {
        assertThat(TextChart.lines(SampleRestart.of("NaN", 3)))
                .containsExactly(
                        "NaN",
                        "                     0              5              10              15             20             ms",
                        "rank 0 leader        ddddddlllllllllaaassssssfffhhhppp................AAAAAAAAAAAArrrrrrrrr    23.0",
                        "rank 1 failed        ddddddlllllllllaaassssssfffhhhppp................AAAAAAAAAAAArrrrrrrrr    23.0",
                        "rank 2               ddddddlllllllllaaasssssssssssssssssssfffhhhppp...AAAAAAAAAAAArrrrrrrrr    23.0",
                        "d detect  l last call  a abort  s stop  f finalize  h health check  p back off  . barrier  A assign"
                                + "  r re-entry",
                        "ms: known to all 2.00 (rank 0 last), all stopped 14.0 (rank 2 last), all assigned 20.0 (rank 0 last),"
                                + " all in the function 23.0 (rank 0 last)",
                        "Clocks are > 1.");
    }

    @Test
    void ranksThatJoinHaveAChartFromTheirStart() {
        assertThat(TextChart.lines(SampleRestart.of(2, 2)))
                .containsExactly(
                        "SCALE_UP by rank 0",
                        "                     0              5              10              15             20             ms",
                        "rank 0 leader        ddddddlllllllllaaassssssfffhhhppp................AAAAAAAAAAAArrrrrrrrr    23.0",
                        "rank 1 failed        ddddddlllllllllaaasssssssssssssssssssfffhhhppp...AAAAAAAAAAAArrrrrrrrr    23.0",
                        "rank 2 joined        wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww|rrrrrrrr    23.0",
                        "rank 3 joined        wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww|rrrrrrrr    23.0",
                        "from their start:    -1500                  -1000                  -500                   0      ms",
                        "rank 2 joined        SSSSSSSSSSSSSSSSSSSSSSSwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww|    23.0",
                        "rank 3 joined        SSSSSSSSSSSSSSSSSSSSSSSwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww|    23.0",
                        "S start  w wait  d detect  l last call  a abort  s stop  f finalize  h health check  p back off"
                                + "  . barrier  A assign  r re-entry  | admitted",
                        "ms: known to all 2.00 (rank 0 last), all stopped 14.0 (rank 1 last), all assigned 20.0 (rank 0 last),"
                                + " all in the function 23.0 (rank 0 last)");
    }

    @Test
    void ofManyRanksThatJoinSomeAreShown() {
        assertThat(TextChart.lines(SampleRestart.of(2, 1000))).hasSizeLessThan(45);
    }

    @Test
    void ofALargeJobTheSlowestRanksAreShown() {
        assertThat(TextChart.lines(SampleRestart.of(16_384)))
                .hasSizeLessThan(25)
                .anySatisfy(line -> assertThat(line).startsWith("rank 16383 "))
                .contains("the 16 slowest of 16384 ranks, not counting the time that they waited for others");
    }

    /** A recording may come from anywhere: its title contains the message of an exception, say. */
    @Test
    void noTextOfARecordingReachesTheTerminalAsACommandOrAsALineOfItsOwn() {
        String title = "EXCEPTION on rank 1 (\u001b[2J\u009b31m\u0007loss\r\nis\u202eNaN\u007f)";

        assertThat(TextChart.lines(SampleRestart.of(title, 2)))
                .hasSameSizeAs(TextChart.lines(SampleRestart.of("NaN", 2)))
                .startsWith("EXCEPTION on rank 1 (\\u001b[2J\\u009b31m\\u0007loss\\r\\nis\\u202eNaN\\u007f)")
                .allSatisfy(
                        line -> assertThat(line.chars()).noneMatch(c -> Character.isISOControl(c) || c == '\u202e'));
    }

    @Test
    void longTitleIsCutOff() {
        assertThat(TextChart.lines(SampleRestart.of("x".repeat(100_000), 2)))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(5000));
    }
}
