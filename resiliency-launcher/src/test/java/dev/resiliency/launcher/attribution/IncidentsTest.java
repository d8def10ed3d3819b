package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.ended;
import static dev.resiliency.launcher.attribution.Facts.ofNode;
import static dev.resiliency.launcher.attribution.Facts.recorded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stepped with a clock that only the test moves. */
class IncidentsTest {
    private long now = 42;
    private final Incidents incidents = new Incidents(() -> now);

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void quietJobHasNoIncident() {
        incidents.add(ofNode(1, Kind.RECOVERED, "n0"));

        assertThat(incidents.untilDue()).isEmpty();
        assertThat(incidents.flush()).isEmpty();
    }

    @Test
    void incidentEndsWhenTheNodeIsWholeAgain() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        pass(Duration.ofMinutes(1));
        assertThat(incidents.ended()).isEmpty();

        incidents.add(ofNode(2, Kind.RECOVERED, "n0"));
        assertThat(incidents.untilDue()).contains(Incidents.SETTLE);
        pass(Incidents.SETTLE);

        Incident incident = incidents.ended().orElseThrow();
        assertThat(incident.facts()).hasSize(2);
        assertThat(incident.isWholeAgain()).isTrue();
        assertThat(incidents.untilDue()).isEmpty();
    }

    @Test
    void incidentOfAWorldThatStaysBrokenIsReportedAfterALimit() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        pass(Incidents.LIMIT);

        assertThat(incidents.ended().orElseThrow().isWholeAgain()).isFalse();
    }

    @Test
    void reportWaitsForWhatTheAgentSaysOfAProcessThatOthersMiss() {
        incidents.add(recorded(1, 1, "TERMINATED", "its session ended without a goodbye"));
        pass(Incidents.SETTLE);
        assertThat(incidents.ended()).isEmpty();
        assertThat(incidents.untilDue()).contains(Incidents.DYING.minus(Incidents.SETTLE));

        incidents.add(ended(2, 1, 1, Evidence.NONE));
        incidents.add(ofNode(3, Kind.RECOVERED, "n0"));
        pass(Incidents.SETTLE);
        assertThat(numbers(incidents.ended().orElseThrow())).containsExactly(1L, 2L, 3L);
    }

    /** One without memory takes seconds to end, and what it has stamped of its memory is the cause. */
    @Test
    void reportWaitsForTheEndOfAProcessThatHangsAndIsEnded() {
        incidents.interrupted(4);
        incidents.add(recorded(1, 1, "SOFT_TIMEOUT", "its process has shown no progress for 5100 ms"));
        incidents.add(recorded(2, 1, "HARD_TIMEOUT", "no progress for 8000 ms; process 1001 is terminated"));
        incidents.resumed(5);
        pass(Incidents.SETTLE);
        assertThat(incidents.ended()).isEmpty();

        incidents.add(ended(3, 1, 143, Evidence.NONE));
        incidents.add(ofNode(4, Kind.RECOVERED, "n0"));
        pass(Incidents.SETTLE);
        assertThat(numbers(incidents.ended().orElseThrow())).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void processOfWhichNoAgentSaysAnythingIsReportedAfterAWhile() {
        incidents.add(recorded(1, 1, "TERMINATED", "its session ended without a goodbye"));
        pass(Incidents.DYING);

        assertThat(incidents.ended()).isPresent();
    }

    @Test
    void lostNodeIsNotWaitedFor() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        incidents.add(ofNode(2, Kind.NODE_LOST, "n0"));
        pass(Incidents.SETTLE);

        assertThat(incidents.ended()).isPresent();
    }

    @Test
    void nodeThatHasLeftIsNotWaitedFor() {
        incidents.add(ended(1, 1, 130, Evidence.NONE));
        incidents.add(ofNode(2, Kind.ENDS, "n0", "rank 0"));
        incidents.add(ofNode(3, Kind.LEFT, "n0"));
        pass(Incidents.SETTLE);

        assertThat(incidents.ended().orElseThrow().followers()).containsExactly("rank 0");
    }

    @Test
    void nodeThatLeavesWithoutAFaultIsNoIncident() {
        incidents.add(ofNode(1, Kind.ENDS, "n0", "rank 0"));
        incidents.add(ofNode(2, Kind.LEFT, "n0"));

        assertThat(incidents.flush()).isEmpty();
    }

    @Test
    void faultThatEndsNoProcessIsOverWithTheNextIteration() {
        incidents.interrupted(4);
        incidents.add(recorded(1, 1, "SOFT_TIMEOUT", "stuck"));
        incidents.resumed(4);
        pass(Duration.ofMinutes(1));
        assertThat(incidents.ended()).isEmpty();

        incidents.resumed(5);
        pass(Incidents.SETTLE);

        assertThat(incidents.ended()).isPresent();
    }

    @Test
    void factThatIsReportedAlreadyBelongsToNoOtherIncident() {
        incidents.add(ofNode(1, Kind.NODE_LOST, "n1"));
        pass(Incidents.SETTLE);
        assertThat(incidents.ended()).isPresent();

        incidents.add(ofNode(1, Kind.NODE_LOST, "n1"));
        assertThat(incidents.flush()).isEmpty();
        incidents.skipTo(3);
        incidents.add(ended(3, 1, 137, Evidence.NONE));
        assertThat(incidents.flush()).isEmpty();
        incidents.add(ended(4, 1, 137, Evidence.NONE));
        assertThat(incidents.flush()).isPresent();
    }

    @Test
    void factsThatComeInAnotherOrderAreSorted() {
        incidents.add(ended(2, 0, 17, Evidence.NONE));
        incidents.add(ended(1, 1, 18, Evidence.NONE));

        assertThat(incidents.flush().orElseThrow().first().who()).isEqualTo("rank 1");
    }

    @Test
    void secondIncidentHasItsOwnFactsOnly() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        incidents.add(ofNode(2, Kind.RECOVERED, "n0"));
        assertThat(numbers(incidents.flush().orElseThrow())).containsExactly(1L, 2L);

        incidents.add(ended(3, 0, 17, Evidence.NONE));

        assertThat(numbers(incidents.flush().orElseThrow())).containsExactly(3L);
    }

    private static List<Long> numbers(Incident incident) {
        return incident.facts().stream().map(Fact::number).toList();
    }

    @Test
    void incidentAfterThatOfABrokenWorldWaitsForItsOwnNodesOnly() {
        incidents.interrupted(4);
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        pass(Incidents.LIMIT);
        assertThat(incidents.ended()).isPresent();

        incidents.add(ended(2, 2, 137, Evidence.NONE));
        incidents.add(ofNode(3, Kind.RECOVERED, "n1"));
        pass(Incidents.SETTLE);

        assertThat(incidents.ended()).isPresent();
    }

    @Test
    void nodeThatIsWholeAgainDoesNotEndTheIncidentOfAnother() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        incidents.add(ended(2, 2, 137, Evidence.NONE));
        incidents.add(ofNode(3, Kind.RECOVERED, "n1"));
        pass(Incidents.SETTLE);
        assertThat(incidents.ended()).isEmpty();

        incidents.add(ofNode(4, Kind.RECOVERED, "n0"));
        pass(Incidents.SETTLE);

        assertThat(numbers(incidents.ended().orElseThrow())).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void processThatWasAskedToEndBreaksNothing() {
        incidents.add(ended(1, 1, 143, true, Evidence.NONE));
        pass(Incidents.SETTLE);

        assertThat(incidents.ended()).isPresent();
    }

    @Test
    void eachFaultDelaysTheEnd() {
        incidents.add(ofNode(1, Kind.NODE_LOST, "n1"));
        pass(Duration.ofSeconds(2));
        incidents.add(ofNode(2, Kind.NODE_LOST, "n2"));

        assertThat(incidents.untilDue()).contains(Incidents.SETTLE);
    }

    @Test
    void incidentThatGoesOnAndOnIsReportedAfterTheLimit() {
        incidents.add(ofNode(1, Kind.NODE_LOST, "n1"));
        pass(Incidents.LIMIT.minus(Duration.ofSeconds(1)));
        incidents.add(ofNode(2, Kind.NODE_LOST, "n2"));

        assertThat(incidents.untilDue()).contains(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(2));
        assertThat(incidents.untilDue()).contains(Duration.ZERO);
    }

    @Test
    void nextIterationDelaysTheEnd() {
        incidents.add(recorded(1, 1, "SOFT_TIMEOUT", "stuck"));
        incidents.interrupted(4);
        pass(Duration.ofMinutes(1));
        incidents.resumed(5);

        assertThat(incidents.untilDue()).contains(Incidents.SETTLE);
        pass(Duration.ofSeconds(1));
        incidents.resumed(6);
        assertThat(incidents.untilDue()).as("none was interrupted").contains(Duration.ofSeconds(2));
    }

    @Test
    void factsOfAReportOfAnotherAgentAreSkipped() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        incidents.add(ofNode(2, Kind.RECOVERED, "n0"));
        incidents.add(ended(3, 2, 137, Evidence.NONE));

        incidents.skipTo(2);

        assertThat(numbers(incidents.flush().orElseThrow())).containsExactly(3L);
    }

    @Test
    void incidentThatAnotherAgentHasReportedIsNotReportedAgain() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));

        incidents.skipTo(1);

        assertThat(incidents.untilDue()).isEmpty();
        assertThat(incidents.flush()).isEmpty();
    }

    @Test
    void olderReportDoesNotBringBackWhatALaterOneHas() {
        incidents.skipTo(3);
        incidents.skipTo(1);
        incidents.add(ended(2, 1, 137, Evidence.NONE));

        assertThat(incidents.flush()).isEmpty();
    }

    /** The evidence of a fault may take longer than the restart of another node. */
    @Test
    void faultThatComesAfterANodeIsWholeAgainIsReportedWithIt() {
        incidents.add(ofNode(1, Kind.RECOVERED, "n1"));
        pass(Incidents.SETTLE.plusMillis(1));
        incidents.add(ofNode(3, Kind.ENDS, "n1", "rank 2"));
        incidents.add(ofNode(4, Kind.RECOVERED, "n1"));
        incidents.add(ended(2, 1, 137, Evidence.NONE));

        Incident incident = incidents.flush().orElseThrow();

        assertThat(numbers(incident)).containsExactly(2L, 3L, 4L);
        assertThat(incident.followers()).containsExactly("rank 2");
    }

    /** A process may take its whole grace to end, or be gone before the others miss it. */
    @Test
    void endThatWasAskedForExplainsWhatTheOthersMissLater() {
        incidents.add(ofNode(1, Kind.ENDS, "n0", "rank 1"));
        pass(Duration.ofSeconds(30));
        incidents.add(recorded(2, 1, "TERMINATED", "its session ended without a goodbye"));
        pass(Incidents.SETTLE);
        assertThat(incidents.ended()).as("the node has not left yet").isEmpty();
        incidents.add(ofNode(3, Kind.LEFT, "n0"));
        pass(Incidents.SETTLE);
        assertThat(incidents.ended().orElseThrow().isIntended()).isTrue();

        incidents.add(ofNode(4, Kind.ENDS, "n0", "rank 1"));
        incidents.add(ofNode(5, Kind.LEFT, "n0"));
        pass(Duration.ofSeconds(1));
        incidents.add(recorded(6, 1, "TERMINATED", "its session ended without a goodbye"));
        assertThat(incidents.flush().orElseThrow().isIntended()).isTrue();
    }

    @Test
    void endOfLongAgoExplainsNothing() {
        incidents.add(ofNode(1, Kind.ENDS, "n0", "rank 1"));
        incidents.add(ofNode(2, Kind.RECOVERED, "n0"));
        pass(Incidents.SETTLE.plusMillis(1));
        incidents.add(recorded(3, 1, "TERMINATED", "its session ended without a goodbye"));

        assertThat(incidents.flush().orElseThrow().isIntended()).isFalse();
    }

    @Test
    void worldWasWholeWhenTheLastNodeHadRecoveredOrTheNextIterationHadBegunAndNotWhenItIsReported() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        incidents.interrupted(4);
        pass(Duration.ofSeconds(2));
        incidents.resumed(5);
        pass(Duration.ofSeconds(5));
        incidents.add(ofNode(2, Kind.RECOVERED, "n0"));
        pass(Incidents.SETTLE);

        assertThat(incidents.ended().orElseThrow().lasted()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void stepThatIsMadeAgainIsNoFaultAndIsNotWaitedFor() {
        incidents.add(Facts.resumed(1, 4, 1200, 1200));
        assertThat(incidents.untilDue()).isEmpty();

        incidents.add(ofNode(2, Kind.NODE_LOST, "n1"));
        pass(Duration.ofSeconds(1));
        incidents.add(Facts.resumed(3, 5, 1200, 1186));

        assertThat(incidents.untilDue()).contains(Incidents.SETTLE.minusSeconds(1));
        pass(Incidents.SETTLE);
        assertThat(incidents.ended().orElseThrow().repetition().repeated()).isEqualTo(14);
    }
}
