package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Keyspace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state that PyTorch's clients share beside the keyspace: queues, and those that wait for one to be filled or at a
 * barrier. The server's event loop owns it.
 *
 * <p>Queues and keys are separate namespaces, except for WAIT and CHECK, to which a non-empty queue is an existing key.
 */
public final class PyTorchWaits {
    private static final int ENTRY_BYTES = 64; // the overhead of a queue or of an entry, besides key and value

    private final Keyspace keyspace;
    private final Map<String, Deque<Value>> queues = new HashMap<>(); // none is empty
    private final Map<String, Set<PyTorchWait>> forQueues = new HashMap<>();
    private final Map<String, Set<PyTorchWait>> atBarriers = new HashMap<>();

    /** Creates the state, whose bytes this keyspace counts. */
    public PyTorchWaits(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    boolean isFilled(String queue) {
        return queues.containsKey(queue);
    }

    int length(String queue) {
        Deque<Value> values = queues.get(queue);
        return values == null ? 0 : values.size();
    }

    /**
     * Appends a value and wakes one wait for the queue, as PyTorch's server does: the client then pops the value.
     *
     * @throws dev.resiliency.store.StoreRequestException if the store is full
     */
    void push(String queue, Value value) {
        keyspace.take(bytes(queue, value), queue);
        queues.computeIfAbsent(queue, unused -> new ArrayDeque<>()).add(value);
        for (PyTorchWait wait : List.copyOf(forQueues.getOrDefault(queue, Set.of()))) {
            take(forQueues, queue, wait);
            if (wait.noteFilled(queue)) {
                return;
            }
        }
    }

    /** Removes and returns the oldest value; null if there is none. */
    @Nullable
    Value pop(String queue) {
        Deque<Value> values = queues.get(queue);
        if (values == null) {
            return null;
        }
        Value value = values.remove();
        keyspace.giveBack(bytes(queue, value));
        if (values.isEmpty()) {
            queues.remove(queue);
        }
        return value;
    }

    private static long bytes(String queue, Value value) {
        return (long) queue.length() + value.size() + ENTRY_BYTES;
    }

    /** Lists the wait to be woken when one of its keys turns out to be that of a queue. */
    void listForQueues(PyTorchWait wait) {
        wait.keys()
                .forEach(key -> forQueues
                        .computeIfAbsent(key, unused -> new LinkedHashSet<>())
                        .add(wait));
    }

    void listAtBarrier(String barrier, PyTorchWait wait) {
        atBarriers.computeIfAbsent(barrier, unused -> new LinkedHashSet<>()).add(wait);
    }

    /** Releases all waits at the barrier. */
    void releaseBarrier(String barrier) {
        Set<PyTorchWait> waits = atBarriers.remove(barrier);
        if (waits != null) {
            waits.forEach(PyTorchWait::end);
        }
    }

    /** Removes the wait from all lists. */
    void unlist(PyTorchWait wait) {
        wait.keys().forEach(key -> {
            take(forQueues, key, wait);
            take(atBarriers, key, wait);
        });
    }

    private static void take(Map<String, Set<PyTorchWait>> lists, String key, PyTorchWait wait) {
        lists.computeIfPresent(key, (unused, waits) -> {
            waits.remove(wait);
            return waits.isEmpty() ? null : waits;
        });
    }
}
