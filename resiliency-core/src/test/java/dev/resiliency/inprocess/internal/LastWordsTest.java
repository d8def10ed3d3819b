package dev.resiliency.inprocess.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.watch.Statement;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastWordsTest {
    private static final String WHY = "no progress for 12000 ms (hardTimeout), since 23:00:57; process 7 is terminated";

    private static Statement where(Standing standing, String start, int pings) {
        return new Statement(standing, standing.text(start, ", " + pings + " pings"));
    }

    @Test
    void processThatIsEndedSaysByWhichLimitSinceWhenAndWhereItsFunctionStands() {
        assertThat(LastWords.text(
                        "[rank 1/3 it 0]",
                        WHY,
                        where(
                                new Standing(
                                        Activity.SOCKET,
                                        true,
                                        List.of(
                                                "sun.nio.ch.Net.poll(Native Method)",
                                                "LogReg$Star.read(LogReg.java:164)",
                                                "LogReg.train(LogReg.java:33)")),
                                "made no progress for 12.0 s, ",
                                201)))
                .isEqualTo(
                        "[rank 1/3 it 0] ends, by its monitor process: " + WHY + "; the function made no progress for"
                                + " 12.0 s, waits in a socket, 201 pings, at LogReg$Star.read:164 < LogReg.train:33");
    }

    @Test
    void processWithoutARunningFunctionSaysByWhichLimit() {
        assertThat(LastWords.text("[rank 1/3 it 0]", WHY, null))
                .isEqualTo("[rank 1/3 it 0] ends, by its monitor process: " + WHY);
    }

    @Test
    void processThatWasSuspendedKnowsOnlyWhereItsFunctionStands() {
        assertThat(LastWords.text(
                        "[rank 0/3 it 0]",
                        WHY,
                        where(
                                new Standing(
                                        Activity.SLEEP,
                                        false,
                                        List.of(
                                                "java.lang.Thread.sleep(Native Method)",
                                                "LogReg.train(LogReg.java:40)")),
                                "",
                                209)))
                .endsWith(WHY + "; the function sleeps, 209 pings, at LogReg.train:40");
    }
}
