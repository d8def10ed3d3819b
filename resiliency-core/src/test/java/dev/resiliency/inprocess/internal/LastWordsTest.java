package dev.resiliency.inprocess.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LastWordsTest {
    private static final String WHY = "no progress for 12000 ms (hardTimeout), since 23:00:57; process 7 is terminated";

    @Test
    void processThatIsEndedSaysByWhichLimitSinceWhenAndWhereItsFunctionStands() {
        assertThat(LastWords.text(
                        "[rank 1/3 it 0]",
                        WHY,
                        "made no progress for 12.0 s, waits in a socket, 201 pings, at [sun.nio.ch.Net.poll(Native Method),"
                                + " LogReg$Star.read(LogReg.java:164), LogReg.train(LogReg.java:33)]"))
                .isEqualTo(
                        "[rank 1/3 it 0] ends, by its monitor process: " + WHY + "; the function made no progress for"
                                + " 12.0 s, waits in a socket, 201 pings, at LogReg$Star.read:164 < LogReg.train:33");
    }

    @Test
    void processWithoutARunningFunctionSaysByWhichLimit() {
        assertThat(LastWords.text("[rank 1/3 it 0]", WHY, ""))
                .isEqualTo("[rank 1/3 it 0] ends, by its monitor process: " + WHY);
    }

    @Test
    void processThatWasSuspendedKnowsOnlyWhereItsFunctionStands() {
        assertThat(LastWords.text(
                        "[rank 0/3 it 0]",
                        WHY,
                        "others make no progress, and it sleeps, 209 pings, at [java.lang.Thread.sleep(Native Method),"
                                + " LogReg.train(LogReg.java:40)]"))
                .endsWith(WHY + "; the function sleeps, 209 pings, at LogReg.train:40");
    }
}
