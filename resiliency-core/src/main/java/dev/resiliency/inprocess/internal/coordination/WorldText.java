package dev.resiliency.inprocess.internal.coordination;

import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A world as a text. Ranks share their keys, so each text among the keys is written once, and a rank has their numbers:
 *
 * <pre>
 * 0:0/-1:0,1 3:1/-1:0,2 2:-1/0:0,1        initial rank : active rank / reserve order : its keys; in the order of the ranks
 * 4:root6:node-06:node-1                  each text with its length
 * </pre>
 */
final class WorldText {
    private WorldText() {}

    static String write(World world) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder();
        for (Placement placement : world.placements()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(placement.initialRank())
                    .append(':')
                    .append(placement.activeRank())
                    .append('/')
                    .append(placement.reserveOrder())
                    .append(':');
            String separator = "";
            for (String key : placement.keys()) {
                text.append(separator).append(numbers.computeIfAbsent(key, absent -> numbers.size()));
                separator = ",";
            }
        }
        return text.append('\n').append(writeAll(numbers.keySet())).toString();
    }

    static World read(String text) {
        int end = text.indexOf('\n');
        List<String> keys = readAll(text.substring(end + 1));
        List<Placement> placements = new ArrayList<>();
        for (String entry : text.substring(0, end).split(" ", -1)) {
            String[] fields = entry.split("[:/]", -1);
            placements.add(new Placement(
                    Integer.parseInt(fields[0]),
                    placements.size(),
                    true,
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    keysOf(fields[3], keys),
                    ""));
        }
        return new World(placements);
    }

    private static List<String> keysOf(String numbers, List<String> keys) {
        return numbers.isEmpty()
                ? List.of()
                : Stream.of(numbers.split(",", -1))
                        .map(number -> keys.get(Integer.parseInt(number)))
                        .toList();
    }

    /** Any texts as one, each with its length before it. */
    static String writeAll(Iterable<String> texts) {
        StringBuilder result = new StringBuilder();
        for (String text : texts) {
            result.append(text.length()).append(':').append(text);
        }
        return result.toString();
    }

    static List<String> readAll(String written) {
        List<String> texts = new ArrayList<>();
        int position = 0;
        while (position < written.length()) {
            int colon = written.indexOf(':', position);
            int end = colon + 1 + Integer.parseInt(written.substring(position, colon));
            texts.add(written.substring(colon + 1, end));
            position = end;
        }
        return texts;
    }
}
