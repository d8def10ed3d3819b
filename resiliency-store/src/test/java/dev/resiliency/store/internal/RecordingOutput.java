package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records the output of a keyspace as text. */
final class RecordingOutput implements SessionOutput {
    private final List<String> said = new ArrayList<>();

    /** Returns the output since the last call. */
    List<String> said() {
        List<String> news = List.copyOf(said);
        said.clear();
        return news;
    }

    @Override
    public void reply(long request, List<@Nullable Object> results) {
        said.add("reply " + request + " " + results);
    }

    @Override
    public void fail(long request, StoreException failure) {
        said.add("fail " + request + " " + failure.getMessage());
    }

    @Override
    public void tell(Consumer<? super Change> listener, Change change) {
        said.add("tell " + change);
    }

    @Override
    public void probe() {
        said.add("probe");
    }

    @Override
    public void expired(SessionExpiredException reason) {
        said.add("expired");
    }
}
