package dev.resiliency.state.internal;

import static java.util.stream.Collectors.joining;

import java.util.List;

/**
 * From whom a rank receives the state.
 *
 * @param atOnce how many of them to use at once, from the first on; the others replace those that fail
 */
record Sources(int atOnce, List<Peer> peers) {
    String encode() {
        return atOnce + "\n" + peers.stream().map(Peer::encode).collect(joining("\n"));
    }

    static Sources decode(String text) {
        List<String> lines = text.lines().toList();
        return new Sources(
                Integer.parseInt(lines.get(0)),
                lines.stream().skip(1).map(Peer::decode).toList());
    }
}
