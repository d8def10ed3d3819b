package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import org.junit.jupiter.api.Test;

class JobPlaceTest {
    private final SessionStore store = InMemoryStore.create();
    private final JobPlace earlier = place(1, "10.0.0.1");
    private final JobPlace later = place(2, "10.0.0.2");

    private static JobPlace place(int number, String host) {
        return new JobPlace(new Term(number, 3), new StoreSeat(3, host, 29400));
    }

    @Test
    void storeThatTheJobHasLeftSaysWhereItLives() throws Exception {
        assertThat(JobPlace.elsewhere(store, "job")).isNull();

        earlier.tell(store, "job");
        assertThat(JobPlace.elsewhere(store, "job")).isEqualTo(new StoreAddress("10.0.0.1", 29400, ""));
        assertThat(JobPlace.elsewhere(store, "another job")).isNull();

        later.tell(store, "job");
        assertThat(JobPlace.elsewhere(store, "job")).isEqualTo(new StoreAddress("10.0.0.2", 29400, ""));
    }

    @Test
    void hostThatWasSuspendedDoesNotSendAnybodyAwayFromALaterStore() throws Exception {
        later.tell(store, "job");
        earlier.tell(store, "job");
        place(2, "10.0.0.9").tell(store, "job");

        assertThat(JobPlace.elsewhere(store, "job")).isEqualTo(new StoreAddress("10.0.0.2", 29400, ""));
    }
}
