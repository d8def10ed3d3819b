package dev.resiliency.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.store.Store;
import java.util.function.Supplier;

/** A call whose steps are reported to the driver. */
record ReportedCall(CallWrapper call, StepReport report) implements CallWrapper {
    @Override
    public void step(long step) {
        call.step(step);
        report.passed(step);
    }

    @Override
    public State state() {
        return call.state();
    }

    @Override
    public WorldEvent lastEvent() {
        return call.lastEvent();
    }

    @Override
    public Store store() {
        return call.store();
    }

    @Override
    public <K> K keep(Class<K> type, Supplier<? extends K> create) {
        return call.keep(type, create);
    }

    @Override
    public void ping() {
        call.ping();
    }

    @Override
    public void leave(String reason) {
        call.leave(reason);
    }

    @Override
    public void fail(Throwable cause) {
        call.fail(cause);
    }

    @Override
    public void checkRestart() {
        call.checkRestart();
    }

    @Override
    public AtomicSection atomic() {
        return call.atomic();
    }

    @Override
    public void onAbort(Abortable action) {
        call.onAbort(action);
    }

    @Override
    public HangProtectionPause disableHangProtection() {
        return call.disableHangProtection();
    }

    @Override
    public HangProtectionPause waitsForPeers() {
        return call.waitsForPeers();
    }
}
