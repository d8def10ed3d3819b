package dev.resiliency.launcher.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How long nodes wait for each other. An option of its own wins over its key in {@code --rdzv-conf}. */
final class RendezvousOptions {
    private static final String TIMEOUT = "--rdzv-timeout";
    private static final String LAST_CALL = "--rdzv-last-call";
    private static final String LEASE = "--lease";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--rdzv-conf",
            paramLabel = "KEY=VALUE,...",
            converter = RendezvousConf.Converter.class,
            description =
                    "The settings of torchrun's rendezvous: join_timeout (or timeout) is --rdzv-timeout, last_call_timeout is --rdzv-last-call, keep_alive_interval times keep_alive_max_attempt is --lease, and each of these options wins over its key. Others that torchrun has are accepted without effect. None by default.")
    private RendezvousConf conf = RendezvousConf.none();

    @Option(
            names = TIMEOUT,
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "How long to wait for MIN nodes; ${DEFAULT-VALUE} by default.")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = LAST_CALL,
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = DurationConverter.class,
            description = "How long to wait for more when MIN nodes are there; ${DEFAULT-VALUE} by default.")
    private Duration lastCall = Duration.ZERO;

    @Option(
            names = LEASE,
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description =
                    "A node counts as lost when the store has heard nothing of its agent for this time, or at once when the kernel of its host says so; ${DEFAULT-VALUE} by default.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--no-refound",
            description =
                    "The job ends with the agent that hosts its store. By default, the others found it anew, if more than half of them are left, and all ranks start again.")
    private boolean noRefound;

    boolean refound() {
        return !noRefound;
    }

    Duration timeout() {
        return chosen(TIMEOUT, timeout, conf.timeout());
    }

    Duration lastCall() {
        return chosen(LAST_CALL, lastCall, conf.lastCall());
    }

    Duration lease() {
        return chosen(LEASE, lease, conf.lease());
    }

    /** Returns the keys that were given and mean nothing here, each with the reason, for people. */
    List<String> withoutEffect() {
        return conf.withoutEffect();
    }

    private Duration chosen(String name, Duration value, Optional<Duration> ofConf) {
        boolean isGiven = command.commandLine().getParseResult().hasMatchedOption(name);
        return isGiven ? value : ofConf.orElse(value);
    }
}
