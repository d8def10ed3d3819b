package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreServerOptionsTest {
    private static StoreServerOptions parse(String line) {
        return StoreServerOptions.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")));
    }

    @Test
    void withoutOptionsTheDefaultsHold() {
        assertThat(parse(""))
                .isEqualTo(new StoreServerOptions("127.0.0.1", 29500, null, false, false, false, null, false));
    }

    @Test
    void everyOptionIsRead() {
        assertThat(
                        parse(
                                "--host h --port 0 --secret-file f --insecure --pytorch --pytorch-beside-secret --stats 5 --help"))
                .isEqualTo(new StoreServerOptions("h", 0, Path.of("f"), true, true, true, Duration.ofSeconds(5), true));
    }

    @ParameterizedTest
    @CsvSource({
        "--hots h, there is no option --hots; see --help",
        "h, there is no option h; see --help",
        "--port, --port needs a value; see --help",
        "--port x, '--port must be a number from 0 to 65535, not x'",
        "--port 65536, '--port must be a number from 0 to 65535, not 65536'",
        "--stats 0, '--stats must be a number from 1 to 2147483647, not 0'",
    })
    void aWrongOptionIsNamed(String line, String message) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void theHelpNamesEveryOption() {
        assertThat(StoreServerOptions.HELP)
                .contains("--host", "--port", "--secret-file", "--insecure", "--stats", "--help");
    }
}
