package dev.resiliency.inprocess.internal.loop;

import java.util.List;
import java.util.stream.Stream;

/** The states that may follow each state of the restart loop, as {@code FROM -> TO}. */
final class Transitions {
    static final List<String> OF_JOINERS =
            """
            FOUNDING        -> CLOSED
            JOINING         -> RUNNING LEAVING CLOSED
            """.lines().flatMap(Transitions::each).toList();
    static final List<String> OF_FOUNDERS =
            """
            FOUNDING        -> RUNNING LEAVING
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

    /** Where survivors found the store anew. */
    static final List<String> OF_VOTERS = """
            JOINING         -> AGREEING
            REGROUPING      -> AGREEING REFOUNDING
            AGREEING        -> RUNNING REFOUNDING LEAVING
            AWAITING        -> ACKNOWLEDGING
            CHECKING_HEALTH -> REFOUNDING
            BACKING_OFF     -> REFOUNDING
            REFOUNDING      -> REGROUPING ACKNOWLEDGING LEAVING CLOSED
            ACKNOWLEDGING   -> FINISHING ABORTING
            PARTING         -> PARTING
            """.lines().flatMap(Transitions::each).toList();

    static final List<String> ALL =
            Stream.of(OF_JOINERS, OF_FOUNDERS, OF_VOTERS).flatMap(List::stream).toList();

    private Transitions() {}

    private static Stream<String> each(String row) {
        String[] sides = row.split(" *-> *", -1);
        return List.of(sides[1].split(" ", -1)).stream().map(to -> sides[0] + " -> " + to);
    }
}
