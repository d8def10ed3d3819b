package dev.resiliency.store.plain;

import dev.resiliency.store.PrefixStore;
import dev.resiliency.store.Value;
import java.util.Map;
import org.junit.jupiter.api.Nested;

class FallbackStoreTest {

    @Nested
    class AsAStore extends FallbackContract {
        private final Map<String, Value> values = InMemoryPlainStore.newValues();

        @Override
        protected Session open() {
            InMemoryPlainStore plain = new InMemoryPlainStore(values);
            FallbackStore store = FallbackStore.builder(plain).build();
            return new Session(store, store::close, plain::cut);
        }
    }

    @Nested
    class UnderAPrefix extends FallbackContract {
        private final Map<String, Value> values = InMemoryPlainStore.newValues();

        @Override
        protected Session open() {
            InMemoryPlainStore plain = new InMemoryPlainStore(values);
            FallbackStore store = FallbackStore.builder(plain).build();
            return new Session(new PrefixStore("prefix", store), store::close, plain::cut);
        }
    }
}
