package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortsTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "65535, 0"})
    void portFromTheLowestToTheHighestIsValid(int port, int lowest) {
        assertThat(Ports.checked(port, lowest)).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, 1", "65536, 1"})
    void otherPortsAreRefused(int port, int lowest) {
        assertThatThrownBy(() -> Ports.checked(port, lowest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("port must be from %d to 65535, not %d".formatted(lowest, port));
    }
}
