package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.Tls;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorOptionsTest {

    private static MonitorOptions options(
            @Nullable StoreAddress store, @Nullable StoreAccess access, @Nullable Path file) {
        return new MonitorOptions(
                new Identity(3, 16, new Generation(2, 300, 7), "00c0ffee"),
                4711,
                "812345678901 ticks",
                Path.of("/tmp/heartbeats"),
                store,
                access,
                "call-0",
                new Operation.Renew(Long.MIN_VALUE, Value.of(new byte[] {-1, 0, 127})),
                Duration.ofMillis(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Duration.ofSeconds(90),
                Duration.ZERO,
                file,
                file);
    }

    @Test
    void absentOptionsStayAbsent() throws Exception {
        MonitorOptions options = options(null, null, null);

        assertThat(MonitorOptions.fromText(options.toText())).isEqualTo(options);
    }

    @Test
    void accessWithNeitherSecretNorTlsIsNotThatOfTheEnvironment() throws Exception {
        MonitorOptions options = options(null, new StoreAccess(null, null), null);

        assertThat(MonitorOptions.fromText(options.toText())).isEqualTo(options);
        assertThat(new StoreAccess("00ff", null)).asString().doesNotContain("00ff");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/tmp/plain", "/a b/c=d:e#f!g", "C:\\back\\slash", "/two\nlines\r--", "/größe/漢字", " ", "\t tab"
            })
    void specialCharactersSurviveARoundTrip(String odd) throws Exception {
        MonitorOptions options = options(
                new StoreAddress("::1", 65_535, odd),
                new StoreAccess("00ff", new Tls(Path.of(odd), Path.of("key"), Path.of(odd), false)),
                Path.of(odd));

        String text = options.toText();

        assertThat(MonitorOptions.fromText(text)).isEqualTo(options);
        assertThat(text.lines()).doesNotContain(MonitorProcess.END_OF_OPTIONS);
    }
}
