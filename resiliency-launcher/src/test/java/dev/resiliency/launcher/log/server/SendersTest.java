package dev.resiliency.launcher.log.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How the lines of several processes with one name are counted. */
class SendersTest {
    private static final long HONEST = 7;
    private static final long FORGER = 8;

    private final Senders senders = new Senders();

    @Test
    void forgedNumberHidesNoLinesOfAnother() {
        senders.sent(HONEST, 10);
        senders.sent(FORGER, 1_000_000);

        assertThat(senders.last(HONEST)).isEqualTo(10);
        assertThat(senders.before(HONEST, 11)).isEqualTo(10);
    }

    @Test
    void processThatStartsAgainGoesOnWhereTheOneBeforeWas() {
        senders.found(20);

        assertThat(senders.last(HONEST)).isEqualTo(20);
        assertThat(senders.before(HONEST, 21)).isEqualTo(20);
        assertThat(senders.sent(HONEST, 25)).isTrue();
        assertThat(senders.before(HONEST, 21)).as("sent twice").isEqualTo(25);
    }

    @Test
    void senderThatTheServerHasForgottenSaysWhereItGoesOn() {
        senders.found(1_000_000); // by a forger, before the server was started again

        assertThat(senders.before(HONEST, 11)).isEqualTo(10);
    }

    @Test
    void lineThatIsMissingIsMissing() {
        senders.found(20);

        assertThat(senders.before(HONEST, 31)).isEqualTo(20);
    }

    @Test
    void twoSendersAtATimeAreNoticed() {
        assertThat(senders.sent(HONEST, 1)).isTrue();
        assertThat(senders.sent(FORGER, 2))
                .as("perhaps the node has started again")
                .isTrue();
        assertThat(senders.sent(FORGER, 3)).isTrue();
        assertThat(senders.sent(HONEST, 4)).isFalse();
    }

    @Test
    void senderWithoutASessionIsServedAsBefore() {
        assertThat(senders.before(0, 0)).isZero();
        senders.sent(0, 2);
        assertThat(senders.before(0, 0)).isEqualTo(2);
        assertThat(senders.before(0, 2)).isEqualTo(2);
    }

    @Test
    void manySendersTakeNoMemory() {
        for (long session = 1; session < 1000; session++) {
            senders.sent(session, session);
        }
        assertThat(senders.last(1)).as("forgotten").isEqualTo(999);
        assertThat(senders.last(998)).isEqualTo(998);
    }
}
