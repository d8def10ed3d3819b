package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class EventFollowerTest {
    private static final StoreSeat SUCCESSOR = new StoreSeat(1, "10.0.0.2", 29401);

    private final LosableStore first = new LosableStore(new StoreSeat(0, "10.0.0.1", 29400));
    private final LosableStore next = new LosableStore(SUCCESSOR);
    private final Deque<SessionStore> dialled = new ArrayDeque<>(List.of(next));
    private final List<StoreSeat> seats = new ArrayList<>();
    private final List<String> passed = new ArrayList<>();
    private final EventFollower follower =
            new EventFollower("job", this::dial, event -> passed.add(event.kind() + " " + event.text()));

    private static final class LosableStore extends ForwardingStore {
        private final List<Consumer<? super StoreException>> listeners = new ArrayList<>();
        private final StoreAddress address;

        LosableStore(StoreSeat seat) {
            super(InMemoryStore.create());
            address = new StoreAddress(seat.host(), seat.port(), "");
        }

        @Override
        public StoreAddress address() {
            return address;
        }

        @Override
        public void onLost(Consumer<? super StoreException> listener) {
            listeners.add(listener);
        }

        void lose() {
            listeners.forEach(each -> each.accept(new StoreException("connection refused")));
        }
    }

    private SessionStore dial(StoreSeat seat) {
        seats.add(seat);
        SessionStore store = dialled.poll();
        if (store == null) {
            throw new StoreException("nobody listens");
        }
        return store;
    }

    private static void host(SessionStore store) throws InterruptedException {
        store.set(Keys.inStore("job", Keys.TERMS), "terms");
    }

    private static void write(SessionStore store, int number, JobEvent.Kind kind, String text)
            throws InterruptedException {
        Value event = JobEvent.write(Instant.EPOCH, "node1", kind, text);
        store.set(Keys.inStore("job", Keys.event(number)), event);
    }

    @Test
    void eventsGoOnWhereTheJobHasMovedAndAreToldOnce() throws Exception {
        host(first);
        write(first, 1, JobEvent.Kind.NODE_CAME, "node1 has joined");
        new JobPlace(new Term(1, 1), SUCCESSOR).tell(next, "job");
        write(next, 1, JobEvent.Kind.NODE_CAME, "node1 has joined");
        write(next, 2, JobEvent.Kind.CYCLE, "cycle 1");
        write(next, 3, JobEvent.Kind.JOB_ENDED, "all ranks have completed");
        new JobPlace(new Term(1, 1), SUCCESSOR).tell(first, "job"); // by a host that was suspended, and goes on

        follower.follow(first);

        assertThat(passed)
                .containsExactly("NODE_CAME node1 has joined", "CYCLE cycle 1", "JOB_ENDED all ranks have completed");
        assertThat(seats).containsExactly(SUCCESSOR);
    }

    @Test
    void successorIsAskedAgainUntilItHasFoundedTheStore() throws Exception {
        host(first);
        AgentWorld world = new AgentWorld(0, Term.FIRST, IndexSet.empty(), IndexSet.of(0, 1), List.of(SUCCESSOR));
        first.set(Keys.inStore("job", Keys.WORLD), world.text());
        write(first, 1, JobEvent.Kind.NODE_CAME, "node1 has joined");
        new JobPlace(new Term(1, 1), SUCCESSOR).tell(next, "job");
        write(next, 2, JobEvent.Kind.JOB_ENDED, "all ranks have completed");
        dialled.addFirst(new LosableStore(SUCCESSOR)); // it stands, and has no votes yet
        EventFollower cut = new EventFollower("job", this::dial, event -> {
            passed.add(event.kind() + " " + event.text());
            first.lose();
        });

        cut.follow(first);

        assertThat(passed).containsExactly("NODE_CAME node1 has joined", "JOB_ENDED all ranks have completed");
        assertThat(seats).hasSize(2);
    }

    @Test
    void endsWithAStoreThatNobodyCanFoundAnew() throws Exception {
        host(first);
        write(first, 1, JobEvent.Kind.NODE_CAME, "node1 has joined");
        EventFollower cut = new EventFollower("job", this::dial, event -> first.lose());

        assertThatThrownBy(() -> cut.follow(first))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(
                        "the store of the job is lost, perhaps since the agent that hosts it was stopped");
        assertThat(seats).isEmpty();
    }
}
