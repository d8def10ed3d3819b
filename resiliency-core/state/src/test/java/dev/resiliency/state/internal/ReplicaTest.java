package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.resiliency.inprocess.CallWrapper;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the buffers of a process hold, from iteration to iteration. */
class ReplicaTest {
    private static final Version READ = Version.ofCheckpoint(0, 3);

    private final Replica replica = new Replica();

    private static CallWrapper call(int iteration) {
        CallWrapper call = mock(CallWrapper.class, RETURNS_DEEP_STUBS);
        when(call.iteration()).thenReturn(iteration);
        return call;
    }

    private Region region(String name, boolean isSharded) {
        return replica.region(name, isSharded, () -> ArrayRegion.floats(name, 2));
    }

    @Test
    void stateIsWholeFromTheEndOfAWriteToTheBeginningOfTheNext() {
        assertThat(replica.isWhole()).isFalse();
        assertThat(replica.version()).isEqualTo(Version.NONE);

        replica.endWrite(READ, null);
        assertThat(replica.isWhole()).isTrue();
        assertThat(replica.version()).isEqualTo(READ);

        replica.beginWrite();
        assertThat(replica.isWhole()).isFalse();
        replica.endWrite(4);
        assertThat(replica.isWhole()).isTrue();
        assertThat(replica.version()).isEqualTo(READ.at(4));
    }

    @Test
    void recoveryMakesTheStateWholeWhetherOrNotAnUpdateHasFailed() {
        replica.endWrite(READ, null);
        replica.beginWrite();
        replica.beginWrite(); // the update before has thrown

        replica.endWrite(READ, null);
        assertThat(replica.isWhole()).isTrue();

        replica.endWrite(READ.at(7), null);
        assertThat(replica.isWhole()).isTrue();
        assertThat(replica.version()).isEqualTo(READ.at(7));
    }

    @Test
    void bufferThatIsNewMakesTheStateIncompleteAndOneThatIsKnownDoesNot() {
        Region weights = region("weights", false);
        replica.endWrite(READ, null);

        assertThat(region("weights", false)).isSameAs(weights);
        assertThat(replica.isWhole()).isTrue();

        region("bias", false);
        assertThat(replica.isWhole()).isFalse();
    }

    @Test
    void bufferOfAShardThatIsNewMakesTheShardIncompleteOnly() {
        replica.useShard(0, 2);
        Part shard = Part.shard(0, 2, List.of(region("momentum", true)));
        replica.endWrite(READ, shard);
        assertThat(replica.shard()).isEqualTo(shard);

        region("variance", true);

        assertThat(replica.shard()).isNull();
        assertThat(replica.isWhole()).isTrue();
        assertThatThrownBy(() -> region("momentum", false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the buffer 'momentum' is both replicated and sharded");
    }

    @Test
    void buffersOfAnotherShardAreNew() {
        replica.useShard(0, 2);
        Region weights = region("weights", false);
        Region momentum = region("momentum", true);
        replica.endWrite(READ, Part.shard(0, 2, List.of(momentum)));

        replica.useShard(0, 2);
        assertThat(region("momentum", true)).isSameAs(momentum);

        replica.useShard(1, 2);
        assertThat(replica.shard()).isNull();
        assertThat(region("weights", false)).isSameAs(weights);
        Region free = region("momentum", false);
        assertThat(free).as("a name that is free again").isNotSameAs(momentum);
        assertThat(region("momentum", false)).isSameAs(free);
    }

    @Test
    void bufferThatIsNoLongerUsedIsDropped() {
        replica.useShard(0, 2);
        Region weights = region("weights", false);
        Region momentum = region("momentum", true);

        replica.retain(List.of(weights));

        assertThat(region("weights", false)).isSameAs(weights);
        assertThat(region("momentum", false)).isNotSameAs(momentum);
    }

    @Test
    void stateIsThatOfTheLatestCall() {
        CallWrapper first = call(0);
        IterationState state = replica.stateFor(first);
        assertThat(replica.stateFor(first)).isSameAs(state);
        assertThat(replica.isCurrent(state)).isTrue();

        IterationState next = replica.stateFor(call(1));

        assertThat(replica.isCurrent(state)).isFalse();
        assertThat(replica.isCurrent(next)).isTrue();
    }

    /** The others may have gone back without it. */
    @Test
    void copiesOfAProcessThatWasAReserveCountForNothing() {
        Region momentum = region("momentum", true);
        Copied copied = new Copied(Part.shard(1, 2, List.of(momentum)), READ);
        replica.stateFor(call(4));
        ((FloatBuffer) momentum.handle()).put(0, 7);
        replica.copies().take(copied, new Chunks(List.of(momentum)));

        replica.stateFor(call(5));
        assertThat(replica.copies().names()).containsExactly(copied);

        replica.stateFor(call(7));
        assertThat(replica.copies().names()).isEmpty();
    }
}
