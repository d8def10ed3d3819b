package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.function.Consumer;

/**
 * Asks for a restart out of the budget of the whole job, until no other agent has asked at the same time.
 *
 * @param name of this request among all
 * @param result receives how many restarts have been granted with this one; 0 if none is left
 */
record RestartRequest(SessionStore store, AgentThread thread, JobBudget budget, String name, Consumer<Integer> result) {
    private static final int LIMIT = 100;

    void make() {
        make(Value.empty(), LIMIT);
    }

    private void make(Value known, int attempts) {
        JobBudget.Grant grant = budget.grant(known.text(), System.currentTimeMillis(), name);
        if (grant.number() == 0 && known.size() > 0) {
            result.accept(0);
            return;
        }
        Batch batch = store.batch();
        Handle<Value> now = batch.add(new Operation.CompareAndSet(Keys.RESTARTS, known, Value.of(grant.spent())));
        thread.then(batch.submit(store.timeout()), results -> {
            Value value = results.get(now);
            if (value.text().equals(grant.spent()) && grant.number() > 0) {
                result.accept(grant.number());
            } else if (grant.number() == 0 || attempts == 0) {
                result.accept(0);
            } else {
                make(value, attempts - 1);
            }
        });
    }
}
