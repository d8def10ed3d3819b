package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.launcher.LaunchConfig;
import dev.resiliency.launcher.monitor.SectionSummary;
import dev.resiliency.launcher.status.NodeSnapshot;
import dev.resiliency.launcher.status.RankSnapshot;
import dev.resiliency.launcher.status.StatusTable;
import java.time.Instant;
import java.util.List;
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
    void linesForATerminalNameNothingAsOthersHaveWrittenIt() {
        Node node = new Node(1, STRANGE, "a\nb", 0, "");
        JobStatus status = new JobStatus(
                new Terms(1, 1, "p\r", 0, true),
                0,
                0,
                "0\nforged",
                List.of(new JobStatus.NodeStatus(node, JobStatus.State.RUNS, null)));
        NodeSnapshot snapshot = new NodeSnapshot(
                1,
                List.of(new RankSnapshot(0, 0, "up\nforged", 1, 0, 1, 1, STRANGE, 1, 1, 0, 0)),
                List.of(new SectionSummary("s\nforged", 1, 1, 1, 1, 1)));
        StatusTable table = new StatusTable(STRANGE);
        table.update(new JobView(
                "job",
                1,
                status,
                List.of(new JobView.NodeRanks(1, snapshot.json(), 1, true)),
                List.of(),
                List.of(),
                null));

        assertThat(table.lines(1))
                .hasSize(8)
                .noneMatch(line -> line.chars().anyMatch(Character::isISOControl) || line.contains("\u202e"))
                .anyMatch(line -> line.contains("in " + ESCAPED))
                .anyMatch(line -> line.startsWith("s\\nforged"));
    }

    @Test
    void nameOfANodeIsEscapedWhereItIsRead() {
        Node node = Node.read(1, new Node(1, STRANGE, "10.0.0.1", 0, "").text());

        assertThat(node.toString()).isEqualTo(ESCAPED + " (10.0.0.1)");
    }
}
