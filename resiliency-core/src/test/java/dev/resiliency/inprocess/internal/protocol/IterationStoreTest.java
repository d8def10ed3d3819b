package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.store.Change;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The store of the wrapped function. */
class IterationStoreTest extends ThreeRanks {
    @Test
    void lastWillAndLeaseOfTheSessionAreRejected() {
        SessionStore user = ranks.get(0).view.member().enterUserStore(0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> user.lastWill(new Operation.Add("deaths", 1)))
                .withMessageContaining("open a store of your own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> user.send(List.of(new Operation.Lease(Duration.ofSeconds(1)))));
    }

    @Test
    void watchesEndWithTheIteration() throws Exception {
        List<Change> changes = new ArrayList<>();
        RestartStore view = ranks.get(0).view;
        view.member().enterUserStore(0).watch("key", changes::add);
        store.set("0/0/user/key", "first");
        assertThat(changes).hasSize(1);

        view.member().enterUserStore(1);
        store.set("0/0/user/key", "second");

        assertThat(changes).hasSize(1);
    }

    @Test
    void closingItDoesNotEndTheSession() throws Exception {
        enter(0);

        ranks.get(0).view.member().enterUserStore(0).close();

        ranks.get(0).session.set("key", "value");
        assertThat(ranks.get(1).terminated).isEmpty();
    }
}
