package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.spi.StoreAddress;
import java.util.ArrayList;
import java.util.List;

/** Records what an agent learns of its job, as a line for each event but the loss of nodes and what is for people. */
class RecordedListener implements NodeListener {
    final List<String> learned = new ArrayList<>();

    @Override
    public void seated(Seat seat) {
        learned.add("seat %d in cycle %d".formatted(seat.group(), seat.cycle()));
    }

    @Override
    public void refused(String reason) {
        learned.add("refused: " + reason);
    }

    @Override
    public void nodesMissing(String reason) {
        learned.add("missing: " + reason);
    }

    @Override
    public void jobEnded(int code, String reason) {
        learned.add("ended with %d: %s".formatted(code, reason));
    }

    @Override
    public void cycleCalled(int cycle, String reason) {
        learned.add("cycle %d: %s".formatted(cycle, reason));
    }

    @Override
    public void drained(String reason) {
        learned.add("drained: " + reason);
    }

    @Override
    public void nodeLost(String lost) {}

    @Override
    public void nodeGone(String what) {
        learned.add("gone: " + what);
    }

    @Override
    public void noted(String line) {}

    @Override
    public void free() {
        learned.add("free");
    }

    @Override
    public void lost(String reason) {
        learned.add("lost: " + reason);
    }

    @Override
    public void moved(StoreAddress there) {
        learned.add("moved to " + there);
    }

    @Override
    public void cutOff(String reason) {
        learned.add("cut off: " + reason);
    }
}
