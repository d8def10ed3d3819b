package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Encodes a world as text. Ranks share keys, so each key is written once, and ranks refer to their keys by number:
 *
 * <pre>
 * 0:0/-1:0,1 3:1/-1:0,2 2:-1/0:0,1        initial rank : active rank / reserve order : numbers of its keys; in rank order
 * 4:root6:node-06:node-1                  each key, preceded by its length
 * </pre>
 */
final class WorldCodec {
    private static final int RADIX = 10;

    private WorldCodec() {}

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
        for (int start = 0; start < end; ) {
            int colon = text.indexOf(':', start);
            int slash = text.indexOf('/', colon);
            int secondColon = text.indexOf(':', slash);
            int stop = firstOf(' ', text, secondColon, end);
            placements.add(new Placement(
                    Integer.parseInt(text, start, colon, RADIX),
                    placements.size(),
                    true,
                    Integer.parseInt(text, colon + 1, slash, RADIX),
                    Integer.parseInt(text, slash + 1, secondColon, RADIX),
                    keysOf(text, secondColon + 1, stop, keys),
                    ""));
            start = stop + 1;
        }
        return new World(placements);
    }

    private static List<String> keysOf(String text, int start, int end, List<String> keys) {
        List<String> result = new ArrayList<>();
        for (int at = start; at < end; ) {
            int stop = firstOf(',', text, at, end);
            result.add(keys.get(Integer.parseInt(text, at, stop, RADIX)));
            at = stop + 1;
        }
        return Collections.unmodifiableList(result);
    }

    private static int firstOf(char wanted, String text, int start, int end) {
        int position = start;
        while (position < end && text.charAt(position) != wanted) {
            position++;
        }
        return position;
    }

    /** Joins texts into one, each preceded by its length. */
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
