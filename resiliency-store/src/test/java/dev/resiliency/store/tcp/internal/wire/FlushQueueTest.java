package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlushQueueTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(); // its loop runs only on demand
    private final FlushQueue queue = new FlushQueue(channel.eventLoop());
    private final List<String> flushed = new ArrayList<>();

    @Test
    void writesOfATurnAreFlushedOnceAtItsEnd() {
        FlushQueue.Writer writer = () -> flushed.add("writer");
        queue.add(writer);
        queue.add(writer);
        assertThat(flushed).isEmpty();

        channel.runPendingTasks();

        assertThat(flushed).containsExactly("writer");
    }

    @Test
    void flushDoesNotWaitForTooManyWriters() {
        for (int i = 0; i < 2 * FlushQueue.MANY + 1; i++) {
            String name = "writer " + i;
            queue.add(() -> flushed.add(name));
        }
        assertThat(flushed).hasSize(2 * FlushQueue.MANY).startsWith("writer 0", "writer 1");

        channel.runPendingTasks();

        assertThat(flushed).hasSize(2 * FlushQueue.MANY + 1).doesNotHaveDuplicates();
    }

    @Test
    void writesDuringAFlushWaitForTheNextFlush() {
        for (int i = 0; i < FlushQueue.MANY; i++) {
            queue.add(() -> {
                flushed.add("first");
                queue.add(() -> flushed.add("second"));
            });
        }
        assertThat(flushed).hasSize(FlushQueue.MANY).containsOnly("first");

        channel.runPendingTasks();

        assertThat(flushed).hasSize(2 * FlushQueue.MANY).endsWith("second");
    }
}
