package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.store.Value;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InterruptionCodecTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00.123Z");

    private static List<Interruption> readBack(Interruption... interruptions) {
        Value records = Value.empty();
        for (Interruption interruption : interruptions) {
            records = records.append(InterruptionCodec.write(interruption));
        }
        return InterruptionCodec.readAll(records, Assertions::fail);
    }

    private static Interruption interruption(int rank, Kind kind, String message) {
        return new Interruption(rank, kind, TIME, message);
    }

    @ParameterizedTest
    @EnumSource
    void interruptionOfEachKindSurvivesARoundTrip(Kind kind) {
        Interruption interruption = interruption(12, kind, "java.io.IOException: no route");

        assertThat(readBack(interruption)).containsExactly(interruption);
    }

    @Test
    void interruptionWithoutTimeOrMessageSurvivesARoundTrip() {
        Interruption interruption = new Interruption(0, Kind.TERMINATED, null, "");

        assertThat(readBack(interruption)).containsExactly(interruption);
    }

    @ParameterizedTest
    @EnumSource
    void whereAFunctionStandsSurvivesARoundTrip(Activity activity) {
        Standing standing =
                new Standing(activity, true, List.of("java.lang.Thread.sleep(Native Method)", "a.B.<init>;"));
        Interruption silent = standing(Kind.OUT_OF_MEMORY, standing, standing.text("made no progress for 6.0 s, ", ""));
        Interruption busy = standing(Kind.SOFT_TIMEOUT, standing.busy(), "says something else");
        Interruption unseen = standing(Kind.HARD_TIMEOUT, Standing.of(activity), "no progress for 90000 ms");

        assertThat(readBack(silent, unseen)).containsExactly(silent, unseen);
        assertThat(readBack(busy)).extracting(Interruption::standing).containsExactly(standing.busy());
    }

    private static Interruption standing(Kind kind, Standing standing, String message) {
        return new Interruption(1, kind, TIME, message, standing);
    }

    /** Many may hang at once, and every rank reads all records. */
    @Test
    void framesAreWrittenOnceAndOnlyTheFirst() {
        Standing standing = new Standing(Activity.SLEEP, true, Collections.nCopies(9, "a.B.c"));
        Value line = InterruptionCodec.write(standing(Kind.SOFT_TIMEOUT, standing, standing.text("", "")));

        assertThat(line.text()).endsWith(" SLEEP;true;a.B.c;a.B.c;a.B.c;a.B.c;a.B.c sleeps\n");
    }

    @Test
    void escapeCodesInAFrameReachNoLog() {
        Standing standing = new Standing(Activity.SLEEP, true, List.of("a\u001b[2Jb"));

        assertThat(readBack(standing(Kind.SOFT_TIMEOUT, standing, standing.text("", ""))))
                .extracting(Interruption::message)
                .containsExactly("sleeps, at [a\\u001b[2Jb]");
    }

    @Test
    void whatARankSaysOfItselfCountsMoreThanWhatItsMonitorProcessSees() {
        Interruption seen = standing(Kind.SOFT_TIMEOUT, Standing.of(Activity.SILENT), "has shown no progress");
        Interruption said = standing(Kind.SOFT_TIMEOUT, Standing.of(Activity.SLEEP), "sleeps");

        assertThat(readBack(seen, said)).containsExactly(said);
        assertThat(readBack(said, seen)).containsExactly(said);
    }

    @Test
    void whatAFunctionThrewAtTheStopIsTheCauseIfNothingElseExplainsLostConnections() {
        Interruption lost = interruption(0, Kind.CONNECTION_LOST, "java.io.EOFException");
        Interruption killed = interruption(3, Kind.TERMINATED, "it died");
        Interruption thrown = interruption(1, Kind.EXCEPTION, "NaN");
        Value atStop = InterruptionCodec.writeAtStop(thrown);
        Value another = InterruptionCodec.writeAtStop(interruption(2, Kind.EXCEPTION, "closed"));

        assertThat(explained(InterruptionCodec.write(lost).append(atStop))).containsExactly(thrown, lost);
        assertThat(explained(InterruptionCodec.write(lost).append(atStop).append(another)))
                .as("all may throw something as they are stopped")
                .containsExactly(lost);
        assertThat(explained(InterruptionCodec.write(lost).append(atStop).append(InterruptionCodec.write(killed))))
                .containsExactly(lost, killed);
        assertThat(explained(atStop)).isEmpty();
    }

    private static List<Interruption> explained(Value records) {
        return InterruptionCodec.explain(InterruptionCodec.readAll(records, Assertions::fail), records);
    }

    @Test
    void messageOfSeveralLinesBecomesOne() {
        assertThat(readBack(interruption(1, Kind.EXCEPTION, "first\n\tsecond\r\nthird")))
                .containsExactly(interruption(1, Kind.EXCEPTION, "first second third"));
    }

    @Test
    void escapeCodesInAMessageReachNoLog() {
        assertThat(readBack(interruption(1, Kind.EXCEPTION, "a\u001b[2Jb")))
                .extracting(Interruption::message)
                .containsExactly("a\\u001b[2Jb");
    }

    @Test
    void longMessageIsCut() {
        assertThat(readBack(interruption(1, Kind.EXCEPTION, "x".repeat(501))))
                .containsExactly(interruption(1, Kind.EXCEPTION, "x".repeat(500)));
    }

    @Test
    void eachRankAndKindCountsOnceAndTheFirstStands() {
        assertThat(readBack(
                        interruption(1, Kind.EXCEPTION, "first"),
                        interruption(11, Kind.EXCEPTION, "other rank"),
                        interruption(1, Kind.EXCEPTION, "again"),
                        interruption(1, Kind.SOFT_TIMEOUT, "other kind")))
                .extracting(Interruption::message)
                .containsExactly("first", "other rank", "other kind");
    }

    @Test
    void whatTheStoreSaysOfADeathCountsOnlyIfNobodyElseSaysAnything() {
        Interruption ofStore = new Interruption(1, Kind.TERMINATED, null, "its session ended");
        assertThat(readBack(
                        ofStore,
                        interruption(1, Kind.TERMINATED, "process 7 died"),
                        interruption(1, Kind.TERMINATED, "died or left")))
                .extracting(Interruption::message)
                .containsExactly("process 7 died");
        assertThat(readBack(ofStore)).containsExactly(ofStore);
        assertThat(readBack(interruption(1, Kind.TERMINATED, "was shut down"), ofStore))
                .extracting(Interruption::message)
                .containsExactly("was shut down");
    }

    @Test
    void deathThatAnotherRecordOfTheRankExplainsIsLeftOut() {
        assertThat(readBack(
                        interruption(1, Kind.TERMINATED, "died"),
                        interruption(2, Kind.TERMINATED, "died too"),
                        interruption(1, Kind.HARD_TIMEOUT, "hung")))
                .extracting(Interruption::message)
                .containsExactly("died too", "hung");
    }

    @Test
    void deathAfterAFaultThatTheRankWouldHaveSurvivedIsKept() {
        assertThat(readBack(
                        interruption(1, Kind.EXCEPTION, "threw"),
                        interruption(1, Kind.TERMINATED, "died in the restart"),
                        interruption(2, Kind.SOFT_TIMEOUT, "hung"),
                        interruption(2, Kind.TERMINATED, "died, too")))
                .extracting(Interruption::message)
                .containsExactly("threw", "died in the restart", "hung", "died, too");
    }
}
