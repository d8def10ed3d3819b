package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.spi.StoreServerProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StoreServerOptionsTest {
    private static StoreServerOptions parse(String line) {
        return StoreServerOptions.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")));
    }

    @Test
    void withoutOptionsTheDefaultsApply() {
        assertThat(parse(""))
                .isEqualTo(new StoreServerOptions(
                        "127.0.0.1", 29500, null, null, null, null, false, false, false, Map.of(), null, false));
    }

    @Test
    void everyOptionIsRead() {
        assertThat(parse("--host h --port 0 --secret-file f --tls-cert c --tls-key k --tls-trust t --insecure --pytorch"
                        + " --pytorch-beside-secret --max-keys 7 --max-total-bytes 9876543210 --stats 5 --help"))
                .isEqualTo(new StoreServerOptions(
                        "h",
                        0,
                        Path.of("f"),
                        Path.of("c"),
                        Path.of("k"),
                        Path.of("t"),
                        true,
                        true,
                        true,
                        Map.of(StoreLimit.KEYS, 7L, StoreLimit.TOTAL_BYTES, 9_876_543_210L),
                        Duration.ofSeconds(5),
                        true));
    }

    @ParameterizedTest
    @EnumSource
    void everyLimitHasAnOption(StoreLimit limit) {
        assertThat(parse("--" + limit + " 5").limits()).containsExactly(Map.entry(limit, 5L));
        assertThat(StoreServerOptions.help("store")).contains("--" + limit + " ");
    }

    @ParameterizedTest
    @CsvSource({
        "--hots h, there is no option --hots; see --help",
        "h, there is no option h; see --help",
        "--port, --port needs a value; see --help",
        "--port x, '--port must be a number from 0 to 65535, not x'",
        "--port 65536, '--port must be a number from 0 to 65535, not 65536'",
        "--max-keys 0, '--max-keys must be a number from 1 to 9223372036854775807, not 0'",
        "--tls-key k, --tls-cert and --tls-key belong together; see --help",
        "--stats 0, '--stats must be a number from 1 to 2147483647, not 0'",
    })
    void invalidOptionIsNamed(String line, String message) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(StoreServerOptions.all())
                .extracting(StoreServerProgram.Option::name)
                .contains("--host", "--stats", "--pytorch", "--max-keys", "--help")
                .allMatch(name -> StoreServerOptions.help("store").contains("  " + name + " "));
    }
}
