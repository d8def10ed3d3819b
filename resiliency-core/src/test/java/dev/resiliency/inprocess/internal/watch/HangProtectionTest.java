package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HangProtectionTest {
    private static final String DEBUG_AGENT = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005";

    @Test
    void hangProtectionIsOnByDefault() {
        assertThat(HangProtection.isOn(null, List.of("-Xmx1g", "-agentlib:hprof", "-Djdwp=1")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {DEBUG_AGENT, "-Xrunjdwp:transport=dt_socket", "-agentpath:/opt/jdk/lib/libjdwp.so=server=y"})
    void hangProtectionIsOffWithADebugAgent(String agent) {
        assertThat(HangProtection.isOn(null, List.of("-Xmx1g", agent))).isFalse();
    }

    @Test
    void propertyDecidesWhateverTheArguments() {
        assertThat(HangProtection.isOn("true", List.of(DEBUG_AGENT))).isTrue();
        assertThat(HangProtection.isOn("false", List.of())).isFalse();
    }
}
