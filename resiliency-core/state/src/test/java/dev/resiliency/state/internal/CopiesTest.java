package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CopiesTest {
    private static final int FLOATS = 100_000; // two chunks

    private final Copies copies = new Copies();
    private final Region live = ArrayRegion.floats("weights", FLOATS);
    private final Part part = Part.shard(1, 2, List.of(live));

    private Copied at(long step) {
        return new Copied(part, new Version(0, 0, step));
    }

    private void fill(float value) {
        FloatBuffer floats = (FloatBuffer) live.handle();
        while (floats.hasRemaining()) {
            floats.put(value);
        }
    }

    private Chunks taken(long step) {
        copies.take(at(step), new Chunks(List.of(live)));
        return Objects.requireNonNull(copies.find(at(step)));
    }

    @Test
    void copyKeepsWhatTheBuffersHeld() {
        fill(5);
        Chunks copy = taken(1);
        fill(6);

        Copies.copyAll(copy, new Chunks(List.of(live)));

        assertThat(((FloatBuffer) live.handle()).get(FLOATS - 1)).isEqualTo(5);
        assertThat(copies.names()).containsExactly(at(1));
    }

    private static ByteBuffer memoryOf(Chunks copy) {
        return copy.read(0, ByteBuffer.allocate(0));
    }

    @Test
    void memoryOfACopyThatWasDroppedIsUsedAgain() {
        fill(1);
        Chunks first = taken(1);
        copies.drop(version -> version.step() == 1);
        fill(2);

        Chunks second = taken(2);

        assertThat(copies.find(at(1))).isNull();
        assertThat(memoryOf(first).asFloatBuffer().get(0))
                .isEqualTo(memoryOf(second).asFloatBuffer().get(0));
    }

    @Test
    void memoryThatIsStillBeingSentIsNotUsedAgain() {
        fill(1);
        Chunks first = taken(1);
        first.acquire();
        ByteBuffer sent = memoryOf(first);
        int before = sent.getInt(0);
        copies.drop(version -> version.step() == 1);
        fill(2);

        taken(2);

        assertThat(sent.getInt(0)).isEqualTo(before);
    }
}
