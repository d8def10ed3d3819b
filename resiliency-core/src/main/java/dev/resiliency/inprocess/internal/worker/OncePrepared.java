package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.Prepare;

/** Runs a hook until it has succeeded once. */
public final class OncePrepared implements Prepare {
    private final Prepare hook;
    /** Guarded by this object, which is held while the hook runs. */
    private boolean isDone;

    public OncePrepared(Prepare hook) {
        this.hook = hook;
    }

    @Override
    public synchronized void prepare() throws Exception {
        if (!isDone) {
            hook.prepare();
            isDone = true;
        }
    }
}
