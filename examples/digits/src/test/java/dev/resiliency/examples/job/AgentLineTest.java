package dev.resiliency.examples.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.AgentLine.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentLineTest {
    private static final String PREFIX = "2026-01-07 14:02:11.205 [agent of node1] ";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "process 4712 runs rank 3|RUNS|4712|rank 3",
                "process 4790 runs rank 3 (restart 1 of 10 within 1h)|RUNS|4790|rank 3",
                "process 4791 runs spare 1.2|RUNS|4791|spare 1.2",
                "rank 3 (process 4712) was ended by SIGKILL after 7m28s: it is started again|ENDED|4712|''",
                "spare 1.2 (process 4713) exited with code 0 after 7m28s|ENDED|4713|''",
                "node node2 (127.0.0.3) is lost: the others continue without it|NODE_LOST|0|''",
                "node node2 (127.0.0.3) has joined, as group rank 2|NODE_CAME|0|''",
                "cycle 2: node node2 (127.0.0.3) is lost: all ranks of the job start again|CYCLE|2|''"
            })
    void lineOfAnAgentIsRead(String text, Kind kind, long number, String process) {
        assertThat(AgentLine.parse(PREFIX + text)).contains(new AgentLine(kind, number, process, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PREFIX + "this agent uses the store of job 'digits' at 127.0.0.1:29500",
                "[rank 3] 14:02:11.205 INFO  Wrapper - cycle 2: of something else",
                ""
            })
    void otherLineIsNoneOfThese(String line) {
        assertThat(AgentLine.parse(line)).isEmpty();
    }

    @Test
    void lineOfARankHasItsName() {
        assertThat(NamedLine.parse("[rank 12] {\"a\": 1}")).contains(new NamedLine("rank 12", "{\"a\": 1}"));
        assertThat(NamedLine.parse("[spare 4.1] ")).contains(new NamedLine("spare 4.1", ""));
        assertThat(NamedLine.parse("rank 12")).isEmpty();
    }
}
