package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The buffers that a function asks for in each iteration. */
class BufferSetTest {
    private final Replica replica = new Replica();
    private final BufferSet buffers = newSet();

    private BufferSet newSet() {
        return new BufferSet(replica, false, name -> {});
    }

    @Test
    void buffersHoldInTheNextIterationWhatTheyHeld() {
        buffers.floats("floats", 2).put(1, 1.5f);
        buffers.doubles("doubles", 3).put(2, 2.5);
        buffers.longs("longs", 4).put(3, 7);
        buffers.bytes("bytes", 5).put(4, (byte) 9);
        ByteBuffer memory = ByteBuffer.allocateDirect(6);
        buffers.memory("memory", () -> memory).put(5, (byte) 8);
        assertThat(buffers.regions())
                .extracting(Region::name)
                .containsExactly("bytes", "doubles", "floats", "longs", "memory");

        BufferSet next = newSet();

        assertThat(next.floats("floats", 2).get(1)).isEqualTo(1.5f);
        assertThat(next.doubles("doubles", 3).get(2)).isEqualTo(2.5);
        assertThat(next.longs("longs", 4).get(3)).isEqualTo(7);
        assertThat(next.bytes("bytes", 5).get(4)).isEqualTo((byte) 9);
        assertThat(next.memory("memory", () -> ByteBuffer.allocate(0)).get(5)).isEqualTo((byte) 8);
        assertThat(next.regions()).isEqualTo(buffers.regions());
    }

    @Test
    void bufferOfAnotherTypeOrLengthIsRefused() {
        buffers.doubles("weights", 3);

        assertThatThrownBy(() -> newSet().longs("weights", 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the buffer 'weights' was ");
        assertThatThrownBy(() -> newSet().doubles("weights", 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("and is now 4 ");
        assertThatThrownBy(() -> buffers.bytes("bytes", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the length of 'bytes' is -1");
        assertThatThrownBy(() ->
                        buffers.memory("memory", () -> ByteBuffer.allocate(1).asReadOnlyBuffer()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the buffer 'memory' is read-only");
    }
}
