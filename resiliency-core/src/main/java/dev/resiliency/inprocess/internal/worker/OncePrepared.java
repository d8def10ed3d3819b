package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.Prepare;

/** Runs a hook until it has succeeded once. */
public final class OncePrepared implements Prepare {
    private final Prepare hook;
    /** Written under the lock of this object, which is held while the hook runs. */
    private volatile boolean isDone;

    public OncePrepared(Prepare hook) {
        this.hook = hook;
    }

    boolean isDone() {
        return isDone;
    }

    @Override
    public synchronized void prepare() throws Exception {
        if (!isDone) {
            hook.prepare();
            isDone = true;
        }
    }
}
