package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class RendezvousConfTest {
    private static RendezvousConf parse(String text) {
        return new RendezvousConf.Converter().convert(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void emptyTextSaysNothing(String text) {
        assertThat(parse(text)).isEqualTo(RendezvousConf.none());
        assertThat(RendezvousConf.none().timeout()).isEmpty();
        assertThat(RendezvousConf.none().lastCall()).isEmpty();
        assertThat(RendezvousConf.none().lease()).isEmpty();
        assertThat(RendezvousConf.none().withoutEffect()).isEmpty();
    }

    @Test
    void keysOfTorchrunAreSeconds() {
        RendezvousConf conf = parse("join_timeout=900, last_call_timeout = 30");

        assertThat(conf.timeout()).contains(Duration.ofMinutes(15));
        assertThat(conf.lastCall()).contains(Duration.ofSeconds(30));
        assertThat(conf.lease()).isEmpty();
        assertThat(conf.withoutEffect()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "timeout=60|60",
                "timeout=60,join_timeout=90|90",
                "join_timeout=90,timeout=60|90",
                "join_timeout=90,join_timeout=120|120",
                "join_timeout=2m|120"
            })
    void joinTimeoutWinsOverTheOtherNameAndTheLastOfEqualKeysCounts(String text, long seconds) {
        assertThat(parse(text).timeout()).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keep_alive_interval=2,keep_alive_max_attempt=4|8",
                "keep_alive_interval=2|6",
                "keep_alive_max_attempt=4|20"
            })
    void keepAliveIsTheLeaseAndAMissingKeyHasTheDefaultOfTorchrun(String text, long seconds) {
        assertThat(parse(text).lease()).contains(Duration.ofSeconds(seconds));
    }

    @Test
    void keysWithoutEffectAreNamedWithTheReason() {
        RendezvousConf conf = parse(
                "use_libuv=1,join_timeout=60,close_timeout=5,heartbeat_timeout=5,read_timeout=60,is_host=0,store_type=tcp");

        assertThat(conf.timeout()).contains(Duration.ofMinutes(1));
        assertThat(conf.withoutEffect())
                .hasSize(6)
                .contains("is_host of rdzv-conf (the node at --rdzv-endpoint hosts the store, unless one is there)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "join_timeout|'join_timeout' is no key with a value",
                "join_timeout=|'join_timeout=' is no key with a value",
                "=5|'=5' is no key with a value",
                "join_timeout=5,|'' is no key with a value",
                "join_timeout=soon|join_timeout: 'soon' is no duration",
                "last_call_timeout=-1|last_call_timeout: '-1' is no duration",
                "keep_alive_max_attempt=0|keep_alive_max_attempt is '0'",
                "keep_alive_interval=1,keep_alive_max_attempt=2.5|keep_alive_max_attempt is '2.5'",
                "jion_timeout=5|there is no key 'jion_timeout': write timeout, join_timeout, last_call_timeout,"
            })
    void mistakeIsExplained(String text, String explanation) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining(explanation);
    }
}
