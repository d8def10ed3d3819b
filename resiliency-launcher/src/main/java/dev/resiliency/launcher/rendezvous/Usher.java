package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Seats the nodes, while this agent has the lowest number of those that live. Does one step at a time, and looks again after
 * each: a step reads what this agent does not know yet, or writes what it has decided. Confined to the thread that runs the
 * agent.
 */
final class Usher {
    private final SessionStore store;
    private final NodeSettings settings;
    private final int arrival;
    private final Arrivals arrivals;
    private final EventLog events;
    private final NodeListener listener;
    private final Answers answers;

    private final Map<Integer, Node> nodes = new HashMap<>();
    /** Those whose loss is written down. */
    private final Set<Integer> reported = new HashSet<>();
    /** Those with a seat of whose loss the listener knows. */
    private final Set<Integer> noticed = new HashSet<>();

    private boolean watchesCame;
    private boolean isBusy;
    private int cycle;
    private LastCall lastCall;
    /** How many nodes take part; null if only the options of the agents say so, by which more may come later. */
    private @Nullable NodeRange range;
    /** The agents whose processes of earlier cycles have ended; null if this agent does not watch them in this cycle. */
    private @Nullable IndexSet ready;
    /** Those that were told to wait. */
    private IndexSet waiting = IndexSet.empty();
    /** The seats of the cycle, by arrival; null while they are not known. */
    private @Nullable Map<Integer, Seat> seats;
    /** When to look again, on the clock of {@link System#nanoTime}; null if nothing is due. */
    private @Nullable Long dueAt;

    Usher(
            SessionStore store,
            NodeSettings settings,
            int arrival,
            Arrivals arrivals,
            EventLog events,
            NodeListener listener,
            Answers answers) {
        this.store = store;
        this.settings = settings;
        this.arrival = arrival;
        this.arrivals = arrivals;
        this.events = events;
        this.listener = listener;
        this.answers = answers;
        this.lastCall = newLastCall();
    }

    private LastCall newLastCall() {
        return new LastCall(most(), settings.lastCall());
    }

    private Terms terms() {
        return range == null ? settings.terms() : settings.terms().with(range.min());
    }

    private int most() {
        return range == null ? settings.most() : range.max();
    }

    /** Seats so many nodes from now on: the next cycle begins with the least number, and no more than the most take part. */
    void scale(NodeRange newRange) {
        range = newRange;
        lastCall = newLastCall();
        look();
    }

    /** Seats the nodes in this cycle from now on. */
    void open(int newCycle) {
        if (newCycle != cycle) {
            cycle = newCycle;
            seats = null;
            ready = null;
            lastCall = newLastCall();
        }
        look();
    }

    /** Returns how long until {@link #look} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        return Optional.ofNullable(dueAt).map(at -> Duration.ofNanos(Math.max(0, at - System.nanoTime())));
    }

    /** Returns whether this agent has the lowest number of those that live. */
    boolean leads() {
        return arrivals.isLowest(arrival);
    }

    /** Takes the next step, if there is one. */
    void look() {
        dueAt = null;
        if (isBusy) {
            return;
        }
        if (!arrivals.isLowest(arrival)) {
            seats = null; // guards against a race: who is lower has arrived late, and may seat the nodes before it dies
            return;
        }
        IndexSet unknown = IndexSet.of(arrivals.came().stream()
                .filter(each -> !nodes.containsKey(each))
                .toArray());
        reportGone();
        Map<Integer, Seat> known = seats;
        if (!watchesCame) {
            watchCame();
        } else if (ready == null) {
            watchReady(cycle);
        } else if (!unknown.isEmpty()) {
            step(Nodes.read(store, unknown), read -> read.forEach(node -> nodes.put(node.arrival(), node)));
        } else if (known == null) {
            readSeats();
        } else if (known.isEmpty()) {
            seatAllInTime();
        } else {
            noticeGone(known);
            seatLateNodes(known);
        }
    }

    private <T> void step(CompletableFuture<T> future, Consumer<? super T> consumer) {
        isBusy = true;
        answers.then(future, result -> {
            isBusy = false;
            consumer.accept(result);
            look();
        });
    }

    private void watchCame() {
        watchesCame = true;
        Batch batch = store.batch();
        batch.add(new Operation.Watch(Keys.CAME, answers.members(more -> {
            arrivals.addCame(more);
            look();
        })));
        step(batch.submit(store.timeout()), done -> {});
    }

    private void watchReady(int ofCycle) {
        ready = IndexSet.empty();
        Batch batch = store.batch();
        batch.add(new Operation.Watch(Keys.ready(ofCycle), answers.members(more -> {
            if (ready != null && ofCycle == cycle) {
                ready = ready.union(more);
                look();
            }
        })));
        step(batch.submit(store.timeout()), done -> {});
    }

    private Node node(int number) {
        Node node = nodes.get(number);
        if (node == null) {
            throw new IllegalStateException("node " + number + " is not known");
        }
        return node;
    }

    private void readSeats() {
        int current = cycle;
        step(Seats.read(store, current), read -> seats = current == cycle ? read : seats);
    }

    private void seatAllInTime() {
        List<Node> there = arrivals.staying().stream().mapToObj(this::node).toList();
        Terms terms = terms();
        Duration wait = lastCall.remaining(there.size(), Seating.isEnough(terms, there), System.nanoTime())
                .orElse(null);
        // Those that are to leave come no more, but their processes must have ended, too.
        boolean areReady = ready != null && ready.containsAll(arrivals.living());
        if (wait == null || !areReady) {
            return;
        }
        if (!wait.isZero()) {
            dueAt = System.nanoTime() + wait.toNanos();
            return;
        }
        int most = range == null ? Integer.MAX_VALUE : range.max();
        Map<Integer, Seat> decided = Seating.ofRound(cycle, terms, most, there);
        Map<String, Value> values = new LinkedHashMap<>();
        decided.forEach((number, seat) -> values.put(Keys.seat(cycle, number), Value.of(seat.text())));
        Batch batch = store.batch();
        batch.add(new Operation.Claim(Keys.round(cycle), Value.of(arrival)));
        batch.add(new Operation.MultiSet(values));
        batch.add(new Operation.Delete(Keys.round(cycle - 1)));
        batch.add(new Operation.Delete(Keys.ready(cycle - 1)));
        batch.add(new Operation.DeleteAll(Keys.seats(cycle - 1)));
        int current = cycle;
        step(batch.submit(store.timeout()), results -> {
            // Another agent may have been first; then its seats stand.
            seats = current == cycle && results.allRan() ? new LinkedHashMap<>(decided) : null;
        });
    }

    /** Writes down which nodes are lost, also those that die while a cycle begins without them; those that left have said so. */
    private void reportGone() {
        arrivals.gone().stream()
                .mapToObj(nodes::get)
                .filter(Objects::nonNull)
                .filter(node -> reported.add(node.arrival()))
                .forEach(this::reportLost);
    }

    private void reportLost(Node node) {
        answers.whenDone(
                events.recordOnce(Keys.loss(node.arrival()), JobEvent.Kind.NODE_LOST, nameOf(node) + " is lost"),
                (isFirst, failure) -> {
                    if (Boolean.TRUE.equals(isFirst)) {
                        listener.nodeLost(node.name());
                    }
                });
    }

    private void noticeGone(Map<Integer, Seat> known) {
        List<Node> lost = arrivals.gone().stream()
                .filter(known::containsKey)
                .filter(noticed::add)
                .mapToObj(this::node)
                .toList();
        lost.forEach(node -> listener.nodeGone(nameOf(node) + " " + arrivals.stateOf(node.arrival())));
    }

    /** An agent does not say of its own node that it is lost. */
    private String nameOf(Node node) {
        return node.name().equals(settings.name()) ? "the former agent of node " + node : "node " + node;
    }

    private void seatLateNodes(Map<Integer, Seat> known) {
        IndexSet staying = arrivals.staying();
        IndexSet late = IndexSet.of(
                staying.stream().filter(each -> !known.containsKey(each)).toArray());
        if (late.isEmpty()) {
            return;
        }
        int taken = staying.size() - late.size();
        if (range == null || taken < range.max()) {
            seat(late.stream().mapToObj(this::node).min(Node.ORDER).orElseThrow(), known);
        } else if (!waiting.containsAll(late)) {
            letWait(late);
        }
    }

    /** Lets nodes wait until others have left, or the job is scaled. */
    private void letWait(IndexSet late) {
        waiting = waiting.union(late);
        Batch batch = store.batch();
        batch.add(new Operation.AddToSet(Keys.WAITING, late));
        step(batch.submit(store.timeout()), done -> {});
    }

    private void seat(Node late, Map<Integer, Seat> known) {
        Map<Node, Seat> seated =
                known.entrySet().stream().collect(Collectors.toMap(entry -> node(entry.getKey()), Map.Entry::getValue));
        Set<Integer> lost = arrivals.gone().stream().boxed().collect(Collectors.toSet());
        Seat seat = Seating.ofLateNode(settings.terms().segment(), late, seated, lost);
        Batch batch = store.batch();
        Handle<Value> standing =
                batch.add(new Operation.Claim(Keys.seat(cycle, late.arrival()), Value.of(seat.text())));
        step(batch.submit(store.timeout()), results -> {
            known.put(late.arrival(), Seat.read(results.get(standing).text()));
            listener.noted("node %s has come, as group rank %d".formatted(late, seat.group()));
        });
    }
}
