package dev.resiliency.store.internal.emulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a key of a plain store: a value as it is, or a set or barrier as lines of text that are appended and
 * never changed. Each line is self-contained, so that it does not matter which client was first.
 *
 * <pre>
 * NUL resiliency:set MEMBERS
 * NUL resiliency:barrier EXPECTED EXPECTED-IN EXCUSED-IN ARRIVED     one per arrival; the first describes the barrier
 * NUL resiliency:barrier completing SESSION                          who runs what is to be run
 * NUL resiliency:barrier complete
 * </pre>
 *
 * <p>Members are ranges such as {@code 0-3,8}, keys are in Base64 behind a slash, and {@code -} is for
 * none.
 */
sealed interface Contents {

    /** A plain value. */
    record Plain(Value value) implements Contents {}

    /** A growing set. */
    record Members(IndexSet members) implements Contents {}

    /**
     * A barrier.
     *
     * @param description the barrier without its operations, which are known to the client that completes it
     */
    record Arrivals(Barrier description, IndexSet arrived, boolean isCompleting, boolean isComplete)
            implements Contents {}

    /** The beginning of every line of a set. */
    String SET = "\0resiliency:set ";

    /** The beginning of every line of a barrier. */
    String BARRIER = "\0resiliency:barrier ";

    /** Written by the client that runs the operations of the complete barrier. */
    String COMPLETING = "completing ";

    /** Written when these have run. */
    String COMPLETE = "complete";

    /** Stands for no key, or no set. */
    String NONE = "-";

    /** Returns the name of the kind for error messages. */
    default String kind() {
        if (this instanceof Plain) {
            return "a value";
        }
        return this instanceof Members ? "a set" : "a barrier";
    }

    /** Returns the contents of the key with this value. */
    static Contents read(String key, Value value) {
        String text = value.text();
        if (text.startsWith(SET)) {
            return new Members(text.lines()
                    .map(line -> readSet(line.substring(SET.length())))
                    .reduce(IndexSet.empty(), IndexSet::union));
        }
        return text.startsWith(BARRIER) ? readBarrier(key, text.lines().toList()) : new Plain(value);
    }

    private static Arrivals readBarrier(String name, List<String> lines) {
        Barrier description = null;
        IndexSet arrived = IndexSet.empty();
        boolean isCompleting = false;
        boolean isComplete = false;
        for (String line : lines) {
            String said = line.substring(BARRIER.length());
            if (said.startsWith(COMPLETING)) {
                isCompleting = true;
            } else if (said.equals(COMPLETE)) {
                isComplete = true;
            } else {
                String[] fields = said.split(" ", -1);
                if (description == null) {
                    IndexSet expected = fields[0].equals(NONE) ? null : readSet(fields[0]);
                    description = new Barrier(name, expected, readKey(fields[1]), readKey(fields[2]), List.of());
                }
                arrived = arrived.union(readSet(fields[3]));
            }
        }
        if (description == null) {
            throw new StoreRequestException(
                    "barrier %s was deleted while it was completed; delete it again".formatted(name));
        }
        return new Arrivals(description, arrived, isCompleting, isComplete);
    }

    /** Returns the line that adds members to a set. */
    static Value members(IndexSet members) {
        return line(SET, write(members));
    }

    /** Returns the line that arrives at a barrier. */
    static Value arrival(Barrier barrier, IndexSet participants) {
        IndexSet expected = barrier.expected();
        return line(
                BARRIER,
                String.join(
                        " ",
                        expected == null ? NONE : write(expected),
                        write(barrier.expectedIn()),
                        write(barrier.excusedIn()),
                        write(participants)));
    }

    /** Returns the line with which this session claims to run the operations. */
    static Value completing(long session) {
        return line(BARRIER, COMPLETING + session);
    }

    /** Returns the line that lets all pass. */
    static Value complete() {
        return line(BARRIER, COMPLETE);
    }

    private static Value line(String start, String rest) {
        return Value.of(start + rest + "\n");
    }

    private static String write(IndexSet members) {
        return members.toString().replaceAll("[{} ]", "") + ",";
    }

    private static IndexSet readSet(String text) {
        BitSet members = new BitSet();
        for (String range : text.split(",", -1)) {
            if (!range.isEmpty()) {
                String[] ends = range.split("-", -1);
                members.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
            }
        }
        return IndexSet.copyOf(members);
    }

    private static String write(@Nullable String key) {
        return key == null ? NONE : "/" + Base64.getUrlEncoder().encodeToString(key.getBytes(UTF_8));
    }

    private static @Nullable String readKey(String text) {
        return text.equals(NONE) ? null : new String(Base64.getUrlDecoder().decode(text.substring(1)), UTF_8);
    }
}
