package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.spi.guard.Printable;
import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * A node that has arrived.
 *
 * @param name by which it is the same node again when its agent comes back
 * @param address for people
 * @param givenRank the rank that its scheduler gave it; {@link #NO_RANK} for none
 * @param domain the nodes with the same one have fast links to each other; empty if that is not known. Without a space
 */
public record Node(int arrival, String name, String address, int givenRank, String domain) {
    /** Stands for no given rank. */
    public static final int NO_RANK = Integer.MAX_VALUE;

    private static final String NO_DOMAIN = "-";
    private static final int FIELDS = 4;
    private static final int WIDTH = 10;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Given ranks first, then names, in which numbers count as such: node9 comes before node10. */
    static final Comparator<Node> ORDER = Comparator.comparingInt(Node::givenRank)
            .thenComparing(node -> NUMBER.matcher(node.name)
                    .replaceAll(number ->
                            "0".repeat(Math.max(0, WIDTH - number.group().length())) + number.group()))
            .thenComparingInt(Node::arrival);

    String text() {
        return "%d %s %s %s".formatted(givenRank, address, domain.isEmpty() ? NO_DOMAIN : domain, name);
    }

    static Node read(int arrival, String text) {
        String[] fields = text.split(" ", FIELDS);
        String domain = fields[2].equals(NO_DOMAIN) ? "" : Printable.of(fields[2]);
        return new Node(arrival, Printable.of(fields[3]), Printable.of(fields[1]), Integer.parseInt(fields[0]), domain);
    }

    /** Returns {@code name (address)}. */
    @Override
    public String toString() {
        return name.equals(address) ? name : name + " (" + address + ")";
    }
}
