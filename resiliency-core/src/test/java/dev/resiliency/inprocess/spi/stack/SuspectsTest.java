package dev.resiliency.inprocess.spi.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuspectsTest {
    /**
     * Each row: who is suspected, and then for each rank what it does and in which line of the program; an asterisk says that it makes
     * progress, a minus that it has lost a connection.
     */
    @ParameterizedTest(name = "{1}: {0}")
    @CsvSource({
        "'2', 'SOCKET 80, SOCKET 80, SLEEP 71'",
        "'0', 'NONE 71, SOCKET 80'",
        "'1', 'SOCKET 80, DEADLOCK 68, SOCKET 80'",
        "'1, 0', 'SLEEP 71, NONE 72, SOCKET 80'", // in the order of suspicion: none of them waits
        "'1, 0', 'SLEEP 71, DEADLOCK 68, SOCKET 80'",
        "'1', 'SOCKET 80, NONE* 77'", // it makes progress, but the others wait for it
        "'2', 'SOCKET 80, NONE* 77, SLEEP 71'", // whoever is stuck is more suspect than who makes progress
        "'2', 'SOCKET 80, SOCKET 80, THREAD 55'", // all wait: it waits for something else than most
        "'2', 'SOCKET 80, SOCKET 80, SOCKET 90'",
        "'0, 1, 2', 'SOCKET 80, SOCKET 80, SOCKET 80'", // nobody stands out
        "'1', 'SOCKET 80, THREAD 55'", // what is in its own process is more suspect
        "'1, 2', 'SOCKET 80, LOCK 55, THREAD 56'",
        "'2', 'THREAD 80, THREAD 80, SOCKET 90'", // most communicate by another thread
        "'0, 1', 'THREAD 80, THREAD 80'",
        "'0, 1', 'SOCKET 80, SOCKET 90'",
        "'1', 'SOCKET 80, SOCKET 90, SOCKET- 80'", // where the last one stood tells where most wait
        "'0, 1', 'SOCKET 80, SOCKET 90, SOCKET- 70'",
        "'0', 'SOCKET 80, SLEEP- 71'",
        "'0, 1', 'PEERS 80, PEERS 81'",
        "'3', 'NATIVE 80, NATIVE 80, NATIVE 80, SLEEP 71'", // most communicate in native code
        "'3', 'NATIVE 80, NATIVE 80, NATIVE 80, SOCKET 90'",
        "'3', 'NATIVE 80, NATIVE 80, NATIVE 80, NATIVE 81'",
        "'0, 1', 'NATIVE 80, NATIVE 80'",
        "'0, 1', 'NATIVE 80, NATIVE 81'", // which of them waits for the other cannot be known
        "'2', 'SOCKET 80, SOCKET 80, NATIVE 81'", // the others wait for what it does in native code
        "'1', 'SOCKET 80, NATIVE 81'",
        "'1', 'NATIVE 80, SLEEP 71'", // who sleeps communicates less than who is in native code
        "'1', 'SLEEP 71, SUSPENDED 80, SILENT 80'", // that it is suspended is known
        "'2', 'SOCKET 80, SOCKET 80, SILENT 80'", // it may be suspended
        "'1', 'NATIVE 80, SILENT 81'", // the other one may wait for it in native code
        "'1', 'NONE* 80, SILENT 80'",
        "'0', 'SLEEP 71, SILENT 80'", // it may be starved
        "'1, 2', 'SOCKET 80, OUT_OF_MEMORY 90, SLEEP 71'",
        "'1', 'PEERS* 80, NATIVE 81, PEERS* 80'",
        "'3', 'SLEEP 60, SLEEP 60, SLEEP 60, NONE 71'", // most poll for what the last one does not do
    })
    void whoDiffersFromThoseThatWaitIsSuspected(String suspects, String ranks) {
        Map<Integer, Standing> standings = new TreeMap<>();
        Set<Integer> followers = new HashSet<>();
        for (String each : ranks.split(", ", -1)) {
            String[] what = each.split(" ", -1);
            if (what[0].endsWith("-")) {
                followers.add(standings.size());
            }
            standings.put(
                    standings.size(),
                    new Standing(
                            Activity.valueOf(what[0].replaceAll("[*-]", "")),
                            !what[0].endsWith("*"),
                            List.of(
                                    "jdk.internal.misc.Unsafe.park(Unsafe.java)",
                                    "LogReg.step(LogReg.java:" + what[1] + ")")));
        }

        assertThat(Suspects.among(standings, followers))
                .containsExactlyElementsOf(Arrays.stream(suspects.split(", ", -1))
                        .map(Integer::valueOf)
                        .toList());
    }
}
