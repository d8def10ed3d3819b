package dev.resiliency.launcher.monitor;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether a job makes progress from restart to restart: it does if a rank pings a higher step than any had at the restart before. Ranks
 * that fail together are one restart, so the restarts of each are counted apart.
 *
 * @param step the highest that was known at a restart
 * @param restarts who was started again since, and how often after the first time; for the key in the store: {@code 500 r2=1 r3=0}
 */
public record Progress(long step, Map<String, Integer> restarts) {

    private static Progress parse(String text) {
        if (text.isEmpty()) {
            return new Progress(-1, Map.of());
        }
        String[] fields = text.split(" ", -1);
        Map<String, Integer> restarts = new TreeMap<>();
        for (int field = 1; field < fields.length; field++) {
            String[] pair = fields[field].split("=", 2);
            restarts.put(pair[0], Integer.parseInt(pair[1]));
        }
        return new Progress(Long.parseLong(fields[0]), restarts);
    }

    private String text() {
        return step
                + restarts.entrySet().stream()
                        .map(each -> " " + each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining());
    }

    private Progress restart(long highest, String who) {
        Map<String, Integer> counts = new TreeMap<>(highest > step ? Map.of() : restarts);
        counts.merge(who, 0, (before, first) -> before + 1);
        return new Progress(Math.max(step, highest), counts);
    }

    /**
     * Returns the text that follows that of the restart before.
     *
     * @param highest the highest step that is known now
     * @param who is started again, as a word
     */
    public static String next(String before, OptionalLong highest, String who) {
        return highest.isEmpty()
                ? before
                : parse(before).restart(highest.getAsLong(), who).text();
    }

    /** Returns why a job with this text is to end; empty if it is not. */
    public static String problem(String text, int mostRestarts) {
        Progress progress = parse(text);
        int most = progress.restarts().values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        return mostRestarts > 0 && most >= mostRestarts
                ? "the job makes no progress: %d restarts in a row, and no step higher than %d"
                        .formatted(most, progress.step())
                : "";
    }
}
