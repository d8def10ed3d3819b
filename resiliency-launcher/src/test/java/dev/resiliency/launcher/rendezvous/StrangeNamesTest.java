package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.launcher.LaunchConfig;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any client of the store may write names and reasons. */
class StrangeNamesTest {
    private static final String STRANGE = "n\u001b[2J\u202e";
    private static final String ESCAPED = "n\\u001b[2J\\u202e";

    @ParameterizedTest
    @ValueSource(strings = {STRANGE, "a\nb", " ", ""})
    void nodeWhoseNameIsNotPrintableIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LaunchConfig.builder().nodeName(name).build())
                .withMessageStartingWith("node-name is '")
                .withMessageNotContainingAny("\u001b", "\n");
    }

    @Test
    void eventIsOneLineWhoeverHasWrittenIt() {
        JobEvent event = JobEvent.read(
                1, JobEvent.write(Instant.EPOCH, STRANGE, JobEvent.Kind.REPORT, "first\nsecond\u001b[2J"));

        assertThat(event.node()).isEqualTo(ESCAPED);
        assertThat(event.text()).isEqualTo("first\\nsecond\\u001b[2J");
    }

    @Test
    void nameOfANodeIsEscapedWhereItIsRead() {
        Node node = Node.read(1, new Node(1, STRANGE, "10.0.0.1", 0, "").text());

        assertThat(node.toString()).isEqualTo(ESCAPED + " (10.0.0.1)");
    }
}
