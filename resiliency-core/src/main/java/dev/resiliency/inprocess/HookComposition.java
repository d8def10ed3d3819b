package dev.resiliency.inprocess;

import java.util.List;

/** Several hooks as one; the last one listed runs first. */
final class HookComposition<H> {
    private final List<H> hooks;
    private final Call<H> call;

    private HookComposition(List<H> hooks, Call<H> call) {
        this.hooks = hooks;
        this.call = call;
    }

    static <H> HookComposition<H> of(H[] hooks, Call<H> call) {
        return new HookComposition<>(List.of(hooks), call);
    }

    void runUntilOneThrows(State state) throws Exception {
        for (int i = hooks.size() - 1; i >= 0; i--) {
            call.on(hooks.get(i), state);
        }
    }

    /** Runs each hook; then throws what the first failing one threw, with the others suppressed. */
    void runAll(State state) throws Exception {
        Throwable thrown = null;
        for (int i = hooks.size() - 1; i >= 0; i--) {
            try {
                call.on(hooks.get(i), state);
            } catch (Exception | Error e) {
                if (thrown == null) {
                    thrown = e;
                } else {
                    thrown.addSuppressed(e);
                }
            }
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof Exception exception) {
            throw exception;
        }
    }

    /** Calls one hook. */
    interface Call<H> {
        void on(H hook, State state) throws Exception;
    }
}
