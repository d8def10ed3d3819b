package dev.resiliency.store.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule at every port, step by step. */
class PortGuardTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final List<String> ended = new ArrayList<>();
    private long now;

    private PortGuard guard(Descriptors descriptors, int most) {
        return new PortGuard(descriptors, most, 1, LIMIT, () -> now);
    }

    private PortGuard.@Nullable Place connect(PortGuard guard, String name) {
        PortGuard.@Nullable Place[] place = new PortGuard.Place[1];
        place[0] = guard.admit(reason -> {
            ended.add(name + ": " + reason);
            Objects.requireNonNull(place[0]).free();
        });
        return place[0];
    }

    private void prove(PortGuard guard, String name) {
        Objects.requireNonNull(connect(guard, name)).proved();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void oldestUnprovedConnectionGivesWayOnceTheyTakeUpHalfOfThePlaces() {
        PortGuard guard = guard(Descriptors.of(1000), 4);
        connect(guard, "first");
        connect(guard, "second");

        assertThat(connect(guard, "third")).isNotNull();

        assertThat(ended)
                .containsExactly("first: it made room for another: 2 of 2 connections had not completed the handshake");
    }

    @Test
    void thoseThatHaveProvedThemselvesGiveWayToNobody() {
        PortGuard guard = guard(Descriptors.of(1000), 2);
        prove(guard, "first");
        prove(guard, "second");

        assertThat(connect(guard, "third")).isNull();
        assertThat(ended).isEmpty();
    }

    @Test
    void closedConnectionLeavesItsPlace() {
        PortGuard guard = guard(Descriptors.of(1000), 1);
        PortGuard.Place place = Objects.requireNonNull(connect(guard, "first"));
        place.proved();
        place.free();
        place.free();

        assertThat(connect(guard, "second")).isNotNull();
        assertThat(ended).isEmpty();
    }

    @Test
    void connectionEndsIfItProvesNothingInTimeWhateverItSends() {
        PortGuard guard = guard(Descriptors.of(1000), 10);
        connect(guard, "first");
        pass(Duration.ofSeconds(4));
        prove(guard, "proved");
        connect(guard, "second");
        assertThat(guard.untilExpiry()).isEqualTo(Duration.ofSeconds(6));

        pass(Duration.ofSeconds(6));
        guard.expire();
        assertThat(ended).containsExactly("first: it did not complete the handshake within 10 s");
        assertThat(guard.untilExpiry()).isEqualTo(Duration.ofSeconds(4));

        pass(Duration.ofDays(1));
        guard.expire();
        assertThat(ended).hasSize(2).last().asString().startsWith("second");
    }

    @Test
    void portsShareTheDescriptorsOfTheProcessAndOneMakesRoomForTheOther() {
        Descriptors descriptors = Descriptors.of(16);
        assertThat(descriptors.forOthers()).isEqualTo(8);
        PortGuard flooded = guard(descriptors, 1000);
        PortGuard other = guard(descriptors, 1000);
        for (int i = 0; i < 100; i++) {
            connect(flooded, "stranger " + i);
        }
        assertThat(ended).hasSize(96); // half of those for others is left to those who prove themselves

        for (int i = 0; i < 8; i++) {
            prove(other, "rank " + i);
        }

        assertThat(ended).hasSize(100).allMatch(line -> line.startsWith("stranger"));
        assertThat(connect(flooded, "one more")).isNull();
        assertThat(connect(other, "one more")).isNull();
    }

    @Test
    void descriptorsOfConnectionsThatCloseLateAreGivenAwayOnlyInPart() {
        Descriptors descriptors = Descriptors.of(16); // 8 for others, and a quarter of the other 8 may close late
        PortGuard guard = guard(descriptors, 1000);
        List<PortGuard.Place> places = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            PortGuard.Place place = guard.admit(ended::add);
            if (place != null) {
                places.add(place);
            }
        }
        assertThat(places).hasSize(6);

        ended.clear();
        places.get(0).free();
        places.get(1).free();

        assertThat(guard.admit(ended::add)).isNotNull();
    }

    @Test
    void connectionThatTakesSeveralDescriptorsCountsAsSo() {
        Descriptors descriptors = Descriptors.of(20);
        PortGuard guard = new PortGuard(descriptors, 1000, 3, LIMIT, () -> now);
        assertThat(guard.most()).isEqualTo(3);
        prove(guard, "first");
        prove(guard, "second");
        prove(guard, "third");

        assertThat(connect(guard, "fourth")).isNull();
    }

    @Test
    void descriptorsThatAnotherServerTakesAreNotGivenAway() {
        Descriptors descriptors = Descriptors.of(16);
        descriptors.setAside(7);
        PortGuard guard = guard(descriptors, 1000);
        prove(guard, "first");

        assertThat(connect(guard, "second")).isNull();
    }

    @Test
    void failedAcceptEndsTheOldestUnprovedConnectionOfTheProcess() {
        Descriptors descriptors = Descriptors.of(1000);
        PortGuard guard = guard(descriptors, 10);
        connect(guard(descriptors, 10), "oldest");
        connect(guard, "newer");

        guard.makeRoom();

        assertThat(ended).singleElement().asString().startsWith("oldest: it made room for another");
    }

    @Test
    void processKeepsAReserveForItself() {
        assertThat(Descriptors.of(256).forOthers()).isEqualTo(128);
        assertThat(Descriptors.of(1024).forOthers()).isEqualTo(768);
        assertThat(Descriptors.of(4096).forOthers()).isEqualTo(3072);
        assertThat(Descriptors.ofThisProcess().forOthers()).isPositive();
    }
}
