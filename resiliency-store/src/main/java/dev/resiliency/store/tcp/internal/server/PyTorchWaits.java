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
 * What PyTorch's clients share beside the keyspace: queues, and who waits for one to be filled or for more to come to a
 * barrier. The server's event loop owns it.
 *
 * <p>Queues and keys are two worlds that share names, but for WAIT and CHECK: a queue that is not empty exists.
 */
public final class PyTorchWaits {
    private static final int ENTRY_BYTES = 64; // of a queue or its entry, beside key and value

    private final Keyspace keyspace;
    private final Map<String, Deque<Value>> queues = new HashMap<>(); // none is empty
    private final Map<String, Set<PyTorchWait>> forQueues = new HashMap<>();
    private final Map<String, Set<PyTorchWait>> atBarriers = new HashMap<>();

    /** The bytes of the queues are counted by this keyspace. */
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
     * Wakes one who waits for the queue, as PyTorch's server does: whoever wakes goes on to take the value.
     *
     * @throws dev.resiliency.store.StoreRequestException if the store is full
     */
    void push(String queue, Value value) {
        keyspace.take(bytes(queue, value), queue);
        queues.computeIfAbsent(queue, unused -> new ArrayDeque<>()).add(value);
        for (PyTorchWait wait : List.copyOf(forQueues.getOrDefault(queue, Set.of()))) {
            take(forQueues, queue, wait);
            if (wait.isOverWith(queue)) {
                return;
            }
        }
    }

    /** Takes the oldest value; null if there is none. */
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

    /** Wakes the wait when one of the keys that it waits for turns out to be that of a queue. */
    void listForQueues(PyTorchWait wait) {
        wait.keys()
                .forEach(key -> forQueues
                        .computeIfAbsent(key, unused -> new LinkedHashSet<>())
                        .add(wait));
    }

    void listAtBarrier(String barrier, PyTorchWait wait) {
        atBarriers.computeIfAbsent(barrier, unused -> new LinkedHashSet<>()).add(wait);
    }

    /** Lets all go on who wait at the barrier. */
    void releaseBarrier(String barrier) {
        Set<PyTorchWait> waits = atBarriers.remove(barrier);
        if (waits != null) {
            waits.forEach(PyTorchWait::end);
        }
    }

    /** Nobody is to be woken by this any more. */
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
