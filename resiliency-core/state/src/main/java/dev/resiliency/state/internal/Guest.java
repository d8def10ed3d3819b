package dev.resiliency.state.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Another rank whose shard a rank copies.
 *
 * @param activeRank its active rank
 * @param peer where it serves its shard
 * @param shard what it has
 */
record Guest(int activeRank, Peer peer, Part shard) {
    private static final int LINES = 3;

    static String encode(List<Guest> guests) {
        StringBuilder text = new StringBuilder();
        guests.forEach(each -> text.append(each.activeRank)
                .append('\n')
                .append(each.peer.encode())
                .append('\n')
                .append(each.shard.encode())
                .append('\n'));
        return text.toString();
    }

    static List<Guest> decode(String text) {
        List<String> lines = text.lines().toList();
        List<Guest> guests = new ArrayList<>();
        for (int line = 0; line < lines.size(); line += LINES) {
            guests.add(new Guest(
                    Integer.parseInt(lines.get(line)),
                    Peer.decode(lines.get(line + 1)),
                    Part.decode(lines.get(line + 2))));
        }
        return guests;
    }
}
