package dev.resiliency.launcher.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What torchrun's {@code --rdzv-conf} says, in the terms of this program.
 *
 * @param timeout how long to wait for the minimum of nodes
 * @param lastCall how long to wait for more
 * @param lease after which a silent node counts as lost
 * @param withoutEffect the keys that mean nothing here, each with the reason, for people
 */
record RendezvousConf(
        Optional<Duration> timeout, Optional<Duration> lastCall, Optional<Duration> lease, List<String> withoutEffect) {
    private static final List<String> WITH_EFFECT =
            List.of("timeout", "join_timeout", "last_call_timeout", "keep_alive_interval", "keep_alive_max_attempt");

    private static final Map<String, String> WITHOUT_EFFECT = new LinkedHashMap<>(); // keys, and why

    static {
        WITHOUT_EFFECT.put("close_timeout", "--grace says how long ranks may take to end");
        WITHOUT_EFFECT.put("heartbeat_timeout", "see keep_alive_interval");
        WITHOUT_EFFECT.put("read_timeout", "each request to the store has its own limit");
        WITHOUT_EFFECT.put("is_host", "the node at --rdzv-endpoint hosts the store, unless one is there");
        WITHOUT_EFFECT.put("store_type", "there is one kind of store");
        WITHOUT_EFFECT.put("use_libuv", "the store has no libuv");
    }

    /** No key at all. */
    static RendezvousConf none() {
        return of(Map.of());
    }

    private static RendezvousConf of(Map<String, String> values) {
        List<String> withoutEffect = new ArrayList<>();
        for (String key : values.keySet()) {
            String reason = WITHOUT_EFFECT.get(key);
            if (reason != null) {
                withoutEffect.add("%s of rdzv-conf (%s)".formatted(key, reason));
            } else if (!WITH_EFFECT.contains(key)) {
                throw new TypeConversionException(
                        "there is no key '%s': write %s, or one of these, which mean nothing: %s"
                                .formatted(
                                        key,
                                        String.join(", ", WITH_EFFECT),
                                        String.join(", ", WITHOUT_EFFECT.keySet())));
            }
        }
        Optional<Duration> timeout = duration(values, "timeout"); // of etcd; join_timeout is that of c10d
        return new RendezvousConf(
                duration(values, "join_timeout").or(() -> timeout),
                duration(values, "last_call_timeout"),
                lease(values),
                List.copyOf(withoutEffect));
    }

    /** Returns after how many heartbeats that have not come torchrun would give a node up; one key alone has torchrun's other. */
    private static Optional<Duration> lease(Map<String, String> values) {
        Optional<Duration> interval = duration(values, "keep_alive_interval");
        String attempts = values.get("keep_alive_max_attempt");
        return interval.isEmpty() && attempts == null
                ? Optional.empty()
                : Optional.of(
                        interval.orElse(Duration.ofSeconds(5)).multipliedBy(count(attempts == null ? "3" : attempts)));
    }

    private static int count(String text) {
        if (!text.matches("[1-9]\\d{0,5}")) {
            throw new TypeConversionException(
                    "keep_alive_max_attempt is '%s': it must be a number from 1 to 999999".formatted(text));
        }
        return Integer.parseInt(text);
    }

    private static Optional<Duration> duration(Map<String, String> values, String key) {
        try {
            return Optional.ofNullable(values.get(key)).map(new DurationConverter()::convert);
        } catch (TypeConversionException e) {
            throw new TypeConversionException(key + ": " + e.getMessage());
        }
    }

    /** Parses it as torchrun does: the last of equal keys counts. */
    static final class Converter implements ITypeConverter<RendezvousConf> {
        @Override
        public RendezvousConf convert(String text) {
            Map<String, String> values = new LinkedHashMap<>();
            for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
                String[] parts = pair.split("=", 2);
                if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
                    throw new TypeConversionException(
                            "'%s' is no key with a value: write them as in join_timeout=600,last_call_timeout=30"
                                    .formatted(pair));
                }
                values.put(parts[0].strip(), parts[1].strip());
            }
            return of(values);
        }
    }
}
