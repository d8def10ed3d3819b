package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.ended;
import static dev.resiliency.launcher.attribution.Facts.ofNode;
import static dev.resiliency.launcher.attribution.Facts.recorded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.time.Duration;
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
    void lostNodeIsNotWaitedFor() {
        incidents.add(ended(1, 1, 137, Evidence.NONE));
        incidents.add(ofNode(2, Kind.NODE_LOST, "n0"));
        pass(Incidents.SETTLE);

        assertThat(incidents.ended()).isPresent();
    }

    @Test
    void nodeThatHasLeftIsNotWaitedFor() {
        incidents.add(ended(1, 1, 130, Evidence.NONE));
        incidents.add(ofNode(2, Kind.LEFT, "n0", "rank 0"));
        pass(Incidents.SETTLE);

        assertThat(incidents.ended().orElseThrow().followers()).containsExactly("rank 0");
    }

    @Test
    void nodeThatLeavesWithoutAFaultIsNoIncident() {
        incidents.add(ofNode(1, Kind.LEFT, "n0", "rank 0"));

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
}
