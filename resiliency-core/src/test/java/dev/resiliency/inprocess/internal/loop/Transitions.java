package dev.resiliency.inprocess.internal.loop;

import java.util.List;
import java.util.stream.Stream;

/** The states that may follow each state of the restart loop, as {@code FROM -> TO}. */
final class Transitions {
    static final List<String> ALL = """
            JOINING         -> RUNNING LEAVING
            RUNNING         -> AWAITING LAST_CALL ABORTING
            AWAITING        -> FINISHING LAST_CALL ABORTING
            LAST_CALL       -> ABORTING
            ABORTING        -> STOPPING LEAVING
            STOPPING        -> FINALIZING LEAVING
            FINALIZING      -> CHECKING_HEALTH LEAVING
            CHECKING_HEALTH -> REGROUPING BACKING_OFF LEAVING
            BACKING_OFF     -> REGROUPING LEAVING
            REGROUPING      -> RUNNING LEAVING
            FINISHING       -> PARTING LEAVING
            PARTING         -> CLOSED
            LEAVING         -> CLOSED
            """.lines().flatMap(Transitions::each).toList();

    private Transitions() {}

    private static Stream<String> each(String row) {
        String[] sides = row.split(" *-> *", -1);
        return List.of(sides[1].split(" ", -1)).stream().map(to -> sides[0] + " -> " + to);
    }
}
