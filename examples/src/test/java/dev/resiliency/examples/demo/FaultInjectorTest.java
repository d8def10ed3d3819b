package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultInjectorTest {
    private final List<Fault> announced = new ArrayList<>();

    @Test
    void exceptionIsThrownAtItsStepAndOnlyOnce() throws InterruptedException {
        Fault fault = Fault.parse("exception:2@5");
        FaultInjector injector = new FaultInjector(List.of(fault), announced::add);

        injector.stepStarts(4);
        assertThat(announced).isEmpty();
        assertThatThrownBy(() -> injector.stepStarts(5)).hasMessage("injected at step 5");
        assertThatCode(() -> injector.stepStarts(5)).doesNotThrowAnyException();
        assertThat(announced).containsExactly(fault);
    }

    @Test
    void rankThatWaitsToBeKilledCanBeInterrupted() {
        FaultInjector injector = new FaultInjector(List.of(Fault.parse("kill:2@5")), announced::add);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> injector.stepStarts(5)).isInstanceOf(InterruptedException.class);
        assertThat(announced).hasSize(1);
    }
}
