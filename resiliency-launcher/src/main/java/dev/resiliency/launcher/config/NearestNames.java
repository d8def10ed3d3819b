package dev.resiliency.launcher.config;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the names that are most like a mistyped one. */
public final class NearestNames {
    /** More mistakes than this in one name, and another name is no help. */
    private static final int MAX_DISTANCE = 4;

    private static final int MOST = 3;

    private NearestNames() {}

    /** Returns those that take the fewest changes, in their order; none if all are too different. */
    public static List<String> of(String name, Collection<String> known) {
        Map<Integer, List<String>> byDistance = known.stream()
                .sorted()
                .collect(Collectors.groupingBy(
                        candidate -> distance(name, candidate), TreeMap::new, Collectors.toList()));
        return byDistance.entrySet().stream()
                .filter(entry -> entry.getKey() <= Math.min(MAX_DISTANCE, name.length() / 2))
                .findFirst()
                .map(Map.Entry::getValue)
                .map((Function<List<String>, List<String>>)
                        names -> names.stream().limit(MOST).toList())
                .orElse(List.of());
    }

    /** Returns the Levenshtein distance: how many letters to insert, leave out or replace. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
