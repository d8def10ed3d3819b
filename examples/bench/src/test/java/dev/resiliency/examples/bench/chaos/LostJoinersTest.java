package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostJoinersTest {
    private final LostJoiners lost = new LostJoiners();

    @BeforeEach
    void admitTwo() {
        lost.admitted(0, 8);
        lost.admitted(0, 9);
    }

    @Test
    void eachLostProcessAccountsForOneNumber() {
        assertThat(lost.mayBe(0, 8, 1)).isTrue();
        assertThat(lost.mayBe(0, 8, 1)).isTrue();
        assertThat(lost.mayBe(0, 9, 1)).isFalse();
        assertThat(lost.mayBe(0, 9, 2)).isTrue();
    }

    @Test
    void numberThatWasNeverAdmittedIsNobodys() {
        assertThat(lost.mayBe(0, 10, 5)).isFalse();
        assertThat(lost.mayBe(1, 8, 5)).isFalse();
    }

    @Test
    void nobodyWasLost() {
        assertThat(lost.mayBe(0, 8, 0)).isFalse();
    }
}
