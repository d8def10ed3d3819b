package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobLinkTest {
    private static final String BROKEN = "broken";

    private final InMemoryStore store = InMemoryStore.create(Duration.ofSeconds(20));
    private final InMemoryStore agent = store.newSession();
    private final JobLink link = new JobLink("job7", () -> agent);

    @BeforeEach
    void openWithALastWill() {
        link.open(2);
        assertThat(link.promise()).isCompletedWithValueMatching(promise -> promise.isEmpty());
        agent.send(List.of(
                new Operation.LastWill(List.of(new Operation.AddToSet(BROKEN, IndexSet.of(7)))))); // as a promise does
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void agentThatLeavesBreaksItsPromises() throws Exception {
        link.close();

        assertThat(store.members(BROKEN)).isEqualTo(IndexSet.of(7));
    }

    @Test
    void promisesOfAnEarlierCycleAreForgotten() throws Exception {
        link.open(2);
        link.close();

        assertThat(store.check(List.of(BROKEN))).isFalse();
    }

    @Test
    void completedJobHasNoPromiseToBreak() throws Exception {
        link.complete();
        link.close();

        assertThat(store.check(List.of(BROKEN))).isFalse();
    }
}
