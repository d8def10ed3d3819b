package dev.resiliency.launcher.attribution.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.resiliency.launcher.attribution.service.Advice.Action;
import dev.resiliency.launcher.attribution.service.LogReading.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogRulesTest {
    private static Advice judge(String... lines) {
        return LogRules.judge(MissingNode.getInstance(), reading(lines));
    }

    private static LogReading reading(String... lines) {
        return new LogReading(Stream.of(lines).map(LogReading::parse).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "STOP|Error: Could not find or load main class Trian|cannot run as it was started",
                "STOP|ModuleNotFoundError: No module named 'trian'|cannot run as it was started",
                "STOP|train.py: error: unrecognized arguments: --lr|cannot run as it was started",
                "STOP|java.io.IOException: No space left on device|a disk is full",
                "RESTART|step 40: loss is NaN|has diverged",
                "RESTART|loss = nan at step 40|has diverged",
                "RESTART|torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB|memory of a GPU",
                "RESTART|java.lang.OutOfMemoryError: Java heap space|memory of a process",
                "RESTART|Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3)|has not ended",
                "UNKNOWN|step 40: loss is 0.2|does not say"
            })
    void lineSaysWhatToDo(Action action, String line, String reason) {
        Advice verdict = judge("2026-01-07 14:02:11.205 [rank 3] " + line, "[rank 1] bye");

        assertThat(verdict.action()).isEqualTo(action);
        assertThat(verdict.reason()).contains(reason);
        assertThat(verdict.reason().contains("rank 3: " + line)).isEqualTo(action != Action.UNKNOWN);
        assertThat(verdict.source()).isEqualTo("rules");
    }

    @Test
    void exceptionIsNamedBeforeThoseThatOnlyFollowIt() {
        assertThat(judge(
                                "[rank 0] Exception in thread \"main\" java.io.EOFException",
                                "[rank 0] \tat app.Ring.read(Ring.java:40)",
                                "[rank 2] Exception in thread \"main\" java.lang.IllegalStateException: no such batch",
                                "[rank 2] \tat app.Train.step(Train.java:12)")
                        .reason())
                .isEqualTo("the program has thrown: rank 2: java.lang.IllegalStateException: no such batch");
        assertThat(judge("[rank 0] java.io.EOFException", "[rank 0] \tat app.Ring.read(Ring.java:40)")
                        .reason())
                .isEqualTo("only the loss of another rank is in the log: rank 0: java.io.EOFException");
    }

    @ParameterizedTest
    @CsvSource({
        "STOP, false, STOP",
        "EXCLUDE_HOST, false, RESTART",
        "EXCLUDE_HOST, true, RESTART",
        "RESTART, false, RESTART",
        "RESTART, true, CONTINUE"
    })
    void reportOfTheLauncherCountsBeforeTheLog(String suggestion, boolean isWholeAgain, Action action)
            throws Exception {
        JsonNode report = new ObjectMapper().readTree("""
                        {"verdict": "HANG_IN(all-reduce)", "suggestion": "%s", "why": "it hangs", "first": "rank 3",
                         "node": "n1", "isWholeAgain": %s}""".formatted(suggestion, isWholeAgain));

        Advice verdict = LogRules.judge(report, reading("Error: Could not find or load main class Train"));

        assertThat(verdict.action()).isEqualTo(action);
        assertThat(verdict.reason()).endsWith("HANG_IN(all-reduce), first rank 3 on node n1: it hangs");
    }

    @Test
    void excerptHasTheErrorsTheirSurroundingsAndTheEndInOrder() {
        List<String> lines = new ArrayList<>();
        IntStream.range(0, 500).forEach(i -> lines.add("step " + i));
        lines.set(100, "RuntimeError: bad");

        List<String> excerpt = LogRules.excerpt(reading(lines.toArray(String[]::new))).stream()
                .map(Line::text)
                .toList();

        assertThat(excerpt)
                .startsWith("step 98", "step 99", "RuntimeError: bad", "step 101")
                .contains("step 106", "step 470", "step 499")
                .doesNotContain("step 107", "step 469")
                .hasSize(39);
    }

    @Test
    void excerptIsBounded() {
        String[] lines = IntStream.range(0, 5000).mapToObj(i -> "failed " + i).toArray(String[]::new);

        assertThat(LogRules.excerpt(reading(lines))).hasSize(120);
    }

    @Test
    void prefixesOfLaunchersNameWhoHasWrittenALine() {
        assertThat(LogReading.parse("node0:12 2026-01-07 14:02:11.205 [rank 3] x: y"))
                .isEqualTo(new Line("rank 3", "x: y"));
        assertThat(LogReading.parse("2026-01-07 14:02:11.205 [agent of n] text"))
                .isEqualTo(new Line("agent of n", "text"));
        assertThat(LogReading.parse("[default3]: text")).isEqualTo(new Line("rank 3", "text"));
        assertThat(LogReading.parse("3: text")).isEqualTo(new Line("rank 3", "text"));
        assertThat(LogReading.parse("plain text")).isEqualTo(new Line("", "plain text"));
    }
}
