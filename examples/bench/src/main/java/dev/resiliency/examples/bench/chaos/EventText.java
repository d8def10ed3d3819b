package dev.resiliency.examples.bench.chaos;

import java.util.Locale;
import java.util.stream.Collectors;

/** Describes the events of a rank, for the timeline. */
final class EventText {
    private static final int SHOWN = 60;

    private EventText() {}

    static String of(ChaosEvent event) {
        if (event instanceof ChaosEvent.Started started) {
            return "starts iteration %d of generation %d as number %d, rank %d of %d, %s of %d active, %s"
                    .formatted(
                            started.iteration(),
                            started.generation(),
                            started.number(),
                            started.rank(),
                            started.worldSize(),
                            started.isActive() ? started.activeRank() : "reserve",
                            started.activeWorldSize(),
                            lower(started.entry()));
        } else if (event instanceof ChaosEvent.Reached reached) {
            return lower(reached.stage());
        } else if (event instanceof ChaosEvent.Entered entered) {
            return "enters its function in iteration " + entered.iteration();
        } else if (event instanceof ChaosEvent.Restored restored) {
            return "resumes from step %d in iteration %d: %s, held %d"
                    .formatted(restored.step(), restored.iteration(), restored.source(), restored.held());
        } else if (event instanceof ChaosEvent.Saved saved) {
            return "saved step %d in iteration %d".formatted(saved.step(), saved.iteration());
        } else if (event instanceof ChaosEvent.Struck struck) {
            return "strike %d happens in iteration %d".formatted(struck.strike(), struck.iteration());
        } else if (event instanceof ChaosEvent.Restarted restarted) {
            return "restarted after iteration %d in %.1f ms because of %s%s"
                    .formatted(
                            restarted.iteration(),
                            restarted.totalNanos() / 1e6,
                            restarted.reasons().stream().map(EventText::of).collect(Collectors.joining(", ")),
                            restarted.joined().isEmpty() ? "" : "; joined: " + restarted.joined());
        } else if (event instanceof ChaosEvent.Left left) {
            return "left: %s: %s".formatted(left.exception(), left.message());
        } else if (event instanceof ChaosEvent.Obeys obeys) {
            return "received order " + obeys.order();
        } else if (event instanceof ChaosEvent.LeftBehind leftovers) {
            return "left behind " + leftovers.what();
        }
        return "completed";
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String of(ChaosEvent.Reason reason) {
        String message = reason.message();
        return "%s on rank %d (%s)"
                .formatted(
                        reason.kind(),
                        reason.rank(),
                        message.length() > SHOWN ? message.substring(0, SHOWN) + "..." : message);
    }
}
