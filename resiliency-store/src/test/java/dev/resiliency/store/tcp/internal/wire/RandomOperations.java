package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random operations of all kinds, from a seed. */
public final class RandomOperations {
    private static final int MAX_DEPTH = 3;

    private final Random random;
    private final int members;
    private int depth;

    public RandomOperations(long seed) {
        this(seed, 1 << 20);
    }

    /** Creates operations with sets whose members are smaller than {@code members}. */
    public RandomOperations(long seed, int members) {
        this.random = new Random(seed);
        this.members = members;
    }

    /** A listener that equals any other of the same id. */
    public record NumberedListener(long id) implements Consumer<Change> {
        @Override
        public void accept(Change change) {}
    }

    /** Writes a {@link NumberedListener} as its id. */
    public static final WatchIds.Writer IDS = new WatchIds.Writer() {
        @Override
        public long idOf(Operation.Watch watch) {
            return ((NumberedListener) (Object) watch.listener()).id();
        }

        @Override
        public long idOf(Operation.Unwatch unwatch) {
            return ((NumberedListener) (Object) unwatch.listener()).id();
        }

        @Override
        public long idOf(Operation.WatchPrefix watch) {
            return ((NumberedListener) (Object) watch.listener()).id();
        }

        @Override
        public long idOf(Operation.UnwatchPrefix unwatch) {
            return ((NumberedListener) (Object) unwatch.listener()).id();
        }
    };

    public List<Operation<?>> list() {
        return Stream.<Operation<?>>generate(this::next)
                .limit(random.nextInt(5))
                .toList();
    }

    private List<Operation<?>> nested() {
        depth++;
        List<Operation<?>> nested = depth > MAX_DEPTH
                ? List.of()
                : list().stream().filter(operation -> !operation.waits()).toList();
        depth--;
        return nested;
    }

    private Operation<?> next() {
        List<Supplier<Operation<?>>> kinds = List.of(
                () -> new Operation.Set(text(), value()),
                () -> new Operation.Get(text()),
                () -> new Operation.GetPart(text(), random.nextInt(1 << 20)),
                () -> new Operation.Add(text(), random.nextLong()),
                () -> new Operation.Append(text(), value(), random.nextLong()),
                () -> new Operation.CompareAndSet(text(), value(), value()),
                () -> new Operation.Claim(text(), value()),
                () -> new Operation.Check(texts()),
                () -> new Operation.Await(texts()),
                () -> new Operation.Delete(text()),
                () -> new Operation.DeleteAll(text()),
                () -> new Operation.MultiGet(texts()),
                () -> new Operation.MultiSet(values()),
                () -> new Operation.KeyCount(text()),
                () -> new Operation.Keys(text()),
                () -> new Operation.AddToSet(text(), indexSet()),
                () -> new Operation.Members(text()),
                () -> new Operation.Confirm(text(), indexSet()),
                () -> new Operation.Arrive(barrier(), indexSet(), depth == 0 && random.nextBoolean()),
                () -> new Operation.Watch(text(), new NumberedListener(random.nextLong())),
                () -> new Operation.Unwatch(text(), new NumberedListener(random.nextLong())),
                () -> new Operation.WatchPrefix(text(), new NumberedListener(random.nextLong())),
                () -> new Operation.UnwatchPrefix(text(), new NumberedListener(random.nextLong())),
                () -> new Operation.LastWill(nested()),
                () -> new Operation.Lease(Duration.ofNanos(random.nextLong() >>> 1)),
                () -> new Operation.Renew(random.nextLong(), value()));
        return kinds.get(random.nextInt(kinds.size())).get();
    }

    private Barrier barrier() {
        boolean isNamed = random.nextBoolean();
        return new Barrier(
                text(),
                isNamed ? null : indexSet(),
                isNamed ? text() : null,
                random.nextBoolean() ? null : text(),
                random.nextBoolean(),
                nested());
    }

    private String text() {
        if (random.nextBoolean()) {
            return "key-" + random.nextInt(16); // few, so that operations share keys
        }
        return random.ints(random.nextInt(20), 1, 0xD800)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private List<String> texts() {
        return Stream.generate(this::text).limit(random.nextInt(4)).toList();
    }

    private Value value() {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        return Value.of(bytes);
    }

    private Map<String, Value> values() {
        Map<String, Value> values = new HashMap<>();
        texts().forEach(key -> values.put(key, value()));
        return values;
    }

    IndexSet indexSet() {
        Function<Integer, IntStream> sparse = bound -> random.ints(random.nextInt(20), 0, bound);
        return switch (random.nextInt(4)) {
            case 0 -> IndexSet.empty();
            case 1 -> IndexSet.range(random.nextInt(100), 100 + random.nextInt(Math.min(members, 20_000)));
            case 2 -> IndexSet.of(sparse.apply(64).toArray());
            default -> IndexSet.of(sparse.apply(members).toArray());
        };
    }
}
