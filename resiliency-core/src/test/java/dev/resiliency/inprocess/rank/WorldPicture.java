package dev.resiliency.inprocess.rank;

import java.util.List;
import java.util.function.Function;

/**
 * Renders a world as in the figures of the documentation: one column for each rank, in the order of the ranks.
 *
 * <pre>
 * initial rank | 0 | 2 | 3 |
 * active rank  | 0 | 1 | - |
 * </pre>
 */
final class WorldPicture {
    private WorldPicture() {}

    /** Returns the initial ranks; {@code X} for one that is lost or dropped. */
    static String row(World world) {
        return row(
                world.placements(), placement -> placement.healthy() ? Integer.toString(placement.initialRank()) : "X");
    }

    /** Returns the initial ranks and below them the active ranks; {@code -} for a reserve. */
    static String rows(World world) {
        return "initial rank " + row(world) + "\n"
                + "active rank  "
                + row(
                        world.placements(),
                        placement -> placement.isActive() ? Integer.toString(placement.activeRank()) : "-");
    }

    /**
     * Returns the input of an assignment: the rows above with {@code X} for a lost rank, and {@code ?} for the role of
     * one that joins.
     */
    static String transition(World world) {
        return "initial rank " + row(world) + "\n"
                + "active rank  "
                + row(
                        world.placements(),
                        placement -> placement.isNew()
                                ? "?"
                                : placement.isActive() ? Integer.toString(placement.activeRank()) : "-");
    }

    /** Returns everything that affects an assignment: the rows above, and those of the keys. */
    static String full(World world) {
        StringBuilder picture = new StringBuilder(rows(world));
        int keys = world.placements().stream()
                .mapToInt(placement -> placement.keys().size())
                .min()
                .orElse(0);
        for (int key = 0; key < keys; key++) {
            int index = key;
            picture.append("\nkey ")
                    .append(key)
                    .append("        ")
                    .append(row(world.placements(), placement -> world.key(placement, index)));
        }
        return picture.toString();
    }

    private static String row(List<Placement> placements, Function<Placement, String> cell) {
        StringBuilder row = new StringBuilder("|");
        placements.forEach(placement -> row.append(String.format(" %s |", cell.apply(placement))));
        return row.toString();
    }
}
