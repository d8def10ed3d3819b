package dev.resiliency.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The results of a stage in its store: {@code result/ITERATION/RANK/PART}, and then {@code result/ITERATION/RANK} with the
 * number of ranks, the partition, and the number of parts and bytes. All ranks have written theirs when an iteration completes, so the results of a complete
 * job are those of its last iteration that has all of them, whichever processes are lost after that.
 */
final class Results {
    private static final String PREFIX = "result/";
    private static final Pattern HEADER = Pattern.compile("result/(\\d+)/\\d+");
    /** Leaves room for the key and the rest of a request. */
    private static final int PART_BYTES = 4 << 20;

    private Results() {}

    private record Header(int ranks, int partition, int parts, int bytes) {
        static Header of(Value value) {
            int[] numbers = Arrays.stream(value.text().split(" ", -1))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            return new Header(numbers[0], numbers[1], numbers[2], numbers[3]);
        }

        @Override
        public String toString() {
            return ranks + " " + partition + " " + parts + " " + bytes;
        }
    }

    /** Writes the result of a rank of an iteration, which has the rows of {@code partition}. */
    static void write(CallWrapper call, Store store, int partition, ByteBuffer result) throws InterruptedException {
        State state = call.state();
        String key = PREFIX + state.iteration() + "/" + state.activeRank();
        int bytes = result.remaining();
        int parts = 0;
        while (result.hasRemaining()) {
            byte[] part = new byte[Math.min(PART_BYTES, result.remaining())];
            result.get(part);
            store.set(key + "/" + parts++, Value.of(part));
            call.ping();
        }
        store.set(key, new Header(state.activeWorldSize(), partition, parts, bytes).toString());
    }

    /** Deletes what ranks have written in iterations before this one, which have not completed. */
    static void deleteBefore(Store store, int iteration) throws InterruptedException {
        for (String key : store.keys(PREFIX)) {
            if (Integer.parseInt(key.split("/", -1)[1]) < iteration) {
                store.delete(key);
            }
        }
    }

    /** Returns the results of a job that is complete, in the order of partitions; empty if some are missing. */
    static Optional<List<ByteBuffer>> read(Store store) throws InterruptedException {
        TreeMap<Integer, Map<String, Header>> iterations = new TreeMap<>();
        for (String key : store.keys(PREFIX)) {
            Matcher matcher = HEADER.matcher(key);
            if (matcher.matches()) {
                iterations
                        .computeIfAbsent(Integer.valueOf(matcher.group(1)), iteration -> new TreeMap<>())
                        .put(key, Header.of(store.get(key)));
            }
        }
        for (Map<String, Header> headers : iterations.descendingMap().values()) {
            if (headers.size() == headers.values().iterator().next().ranks()) {
                return Optional.of(read(store, headers));
            }
        }
        return Optional.empty();
    }

    private static List<ByteBuffer> read(Store store, Map<String, Header> headers) throws InterruptedException {
        List<ByteBuffer> results = new ArrayList<>();
        for (Map.Entry<String, Header> rank : headers.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.comparingInt(Header::partition)))
                .toList()) {
            results.add(read(store, rank.getKey(), rank.getValue()));
        }
        return results;
    }

    private static ByteBuffer read(Store store, String key, Header header) throws InterruptedException {
        ByteBuffer result = ByteBuffer.allocate(header.bytes());
        for (int part = 0; part < header.parts(); part++) {
            String name = key + "/" + part;
            store.get(name).writeTo(result);
            store.delete(name); // it may be large, and is held twice
        }
        return result.flip();
    }
}
