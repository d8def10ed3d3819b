package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransferRehearsalTest {

    @Test
    void smallStateArrivesWithinThisProcess() throws Exception {
        assertThat(TransferRehearsal.run()).isTrue();
    }
}
