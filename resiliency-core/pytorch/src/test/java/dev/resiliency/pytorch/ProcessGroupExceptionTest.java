package dev.resiliency.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessGroupExceptionTest {
    @Test
    void messageHasTheFirstLineAndTheDetailAllOfThem() {
        String text = "Connection closed by peer [10.0.0.7]:4242\nException raised from wait\nframe #0: c10::Error";

        ProcessGroupException e = ProcessGroupException.of(2, "allReduce", new IllegalStateException(text));

        assertThat(e).hasMessage("allReduce failed on active rank 2: Connection closed by peer [10.0.0.7]:4242");
        assertThat(e.detail()).isEqualTo(text);
        assertThat(e.rank()).isEqualTo(2);
        assertThat(e.operation()).isEqualTo("allReduce");
    }

    @Test
    void exceptionWithoutTextHasAMessageAllTheSame() {
        assertThat(ProcessGroupException.of(0, "barrier", new IllegalStateException("\n")))
                .hasMessage("barrier failed on active rank 0: no reason is given");
    }
}
