package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class RendezvousOptionsTest {
    private static final String CONF =
            "join_timeout=60,last_call_timeout=2,keep_alive_interval=2,keep_alive_max_attempt=4";

    @Command
    private static final class Options {
        @Mixin
        private RendezvousOptions rendezvous = new RendezvousOptions();
    }

    private static RendezvousOptions parse(String... arguments) {
        Options options = new Options();
        new CommandLine(options).parseArgs(arguments);
        return options.rendezvous;
    }

    @Test
    void withoutAnyOptionThereAreDefaults() {
        RendezvousOptions options = parse();

        assertThat(options.timeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options.lastCall()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.withoutEffect()).isEmpty();
    }

    @Test
    void confWinsOverTheDefaults() {
        RendezvousOptions options = parse("--rdzv-conf", CONF);

        assertThat(options.timeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.lastCall()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.lease()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void optionOfItsOwnWinsOverTheConfWhateverComesFirst() {
        RendezvousOptions options =
                parse("--rdzv-timeout=3m", "--rdzv-conf=" + CONF, "--rdzv-last-call=0", "--lease=10s");

        assertThat(options.timeout()).isEqualTo(Duration.ofMinutes(3));
        assertThat(options.lastCall()).isZero();
        assertThat(options.lease()).isEqualTo(Duration.ofSeconds(10)); // the default, but given
    }
}
