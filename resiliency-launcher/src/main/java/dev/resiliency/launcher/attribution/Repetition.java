package dev.resiliency.launcher.attribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which steps a training repeats after all restarts of an incident: often two, as a rank fails and as its replacement joins.
 *
 * @param restarts of which it is known, in their order
 */
record Repetition(List<Resumption> restarts) {
    /** Nobody has seen where the training goes on. */
    static final Repetition UNKNOWN = new Repetition(List.of());

    private static final int SHOWN = 3;
    private static final String WHY_UNKNOWN = "how many steps are repeated is unknown: ";

    /** Copies the list. */
    Repetition {
        restarts = List.copyOf(restarts);
    }

    /** Returns what is known with this, too. */
    Repetition and(Resumption seen) {
        List<Resumption> all = new ArrayList<>(restarts);
        Resumption whole = seen;
        for (Resumption known : restarts) {
            if (Resumption.ORDER.compare(known, seen) == 0) {
                all.remove(known);
                whole = known.and(seen);
            }
        }
        all.add(whole);
        all.sort(Resumption.ORDER);
        return new Repetition(all);
    }

    /** Returns how many steps that were complete are made again, or the least that it can be; null if it is not known. */
    @Nullable
    Long repeated() {
        List<Long> known = restarts.stream()
                .map(Resumption::repeated)
                .filter(Objects::nonNull)
                .toList();
        long sum = known.stream().mapToLong(Long::longValue).sum();
        return known.isEmpty() || (sum == 0 && isLeast()) ? null : (Long) sum;
    }

    private boolean isLeast() {
        return restarts.stream().anyMatch(Resumption::isLeast);
    }

    /**
     * Returns the same as text, or why it is not known.
     *
     * @param areStepsTold whether a process has told a step
     */
    String text(boolean areStepsTold) {
        Long repeated = repeated();
        if (restarts.isEmpty()) {
            return WHY_UNKNOWN + (areStepsTold ? "no rank has made a step yet" : "the training does not call step");
        }
        if (repeated == null) {
            return WHY_UNKNOWN + "all ranks were killed, and none has noted its very last step";
        }
        if (repeated == 0) {
            return "no step repeated";
        }
        List<Resumption> costly =
                restarts.stream().filter(each -> each.from() > each.to()).toList();
        return "%s%d step%s repeated%s (%s%s)"
                .formatted(
                        isLeast() ? "at least " : "",
                        repeated,
                        repeated == 1 ? "" : "s",
                        costly.size() == 1 ? "" : " in %d restarts".formatted(costly.size()),
                        costly.stream()
                                .limit(SHOWN)
                                .map(each -> "from %d to %d".formatted(each.from(), each.to()))
                                .collect(Collectors.joining(", ")),
                        costly.size() > SHOWN ? ", …" : "");
    }
}
