package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Changes a text that all agents of a job share, until no other one has changed it at the same time. */
record SharedText(SessionStore store, AgentThread thread, String key) {
    private static final int LIMIT = 100;

    /**
     * Changes the text.
     *
     * @param change returns the new text for that which stands, which is empty at first; may be called several times
     * @param result receives what stands now, unless the store fails
     */
    void update(UnaryOperator<String> change, Consumer<String> result) {
        // Not guessed: a guess that fails could meet the very text that it was to write, and look like a success.
        Batch batch = store.batch();
        Handle<Value> now = batch.add(Keys.peek(key));
        thread.whenDone(batch.submit(store.timeout()), (results, failure) -> {
            if (results != null) {
                attempt(results.get(now), change, result, LIMIT);
            }
        });
    }

    private void attempt(Value known, UnaryOperator<String> change, Consumer<String> result, int attempts) {
        String changed = change.apply(known.text());
        Batch batch = store.batch();
        Handle<Value> now = batch.add(new Operation.CompareAndSet(key, known, Value.of(changed)));
        thread.whenDone(batch.submit(store.timeout()), (results, failure) -> {
            if (results == null) {
                return; // the session says so if the store is lost
            }
            Value value = results.get(now);
            if (value.text().equals(changed) || attempts == 0) {
                result.accept(value.text());
            } else {
                attempt(value, change, result, attempts - 1);
            }
        });
    }
}
