package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StateTest {

    private static State inIteration(int iteration) {
        return new State(1, 4, 1, 4, State.Mode.ACTIVE, 1, 4, iteration);
    }

    @Test
    void shortConstructorDescribesAJobOfTheFirstProcesses() {
        assertThat(inIteration(0).entry()).isEqualTo(State.Entry.FOUNDED);
        assertThat(inIteration(3).entry()).isEqualTo(State.Entry.SURVIVED);
        assertThat(inIteration(3).generation()).isZero();
        assertThat(inIteration(3).jobRestarts()).isEqualTo(3);
        assertThat(inIteration(3).faults()).isZero();
        assertThat(inIteration(3).lastFault()).isEmpty();
    }

    @Test
    void eachCopyKeepsTheRest() {
        State state = inIteration(101)
                .withOrigin(State.Entry.JOINED, 1, 7)
                .withFaults(2)
                .withLastFault("EXCEPTION on rank 2")
                .withFaults(3);

        assertThat(state)
                .isEqualTo(new State(
                        1, 4, 1, 4, State.Mode.ACTIVE, 1, 4, 101, 3, "EXCEPTION on rank 2", State.Entry.JOINED, 1, 7));
        assertThat(state.withOrigin(State.Entry.SURVIVED, 1, 8).lastFault()).isEqualTo("EXCEPTION on rank 2");
    }
}
