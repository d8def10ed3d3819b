package dev.resiliency.launcher.log.server;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far the lines of one node are in a merged file. Each process that sends them counts for itself, so one that claims to be
 * farther than it is hides no lines of another. Confined to one thread.
 */
final class Senders {
    /** An agent that starts again is another sender. */
    private static final int MOST = 8;

    /** By session: the number of its last line; the one that sent last is the last one. */
    private final Map<Long, Long> lastOf = new LinkedHashMap<>();
    /** The highest number in the file, whoever has sent the line. */
    private long highest;

    private long latest;

    /** Notes a line that is in the file. */
    void found(long number) {
        highest = Math.max(highest, number);
    }

    /** Returns the number of the last line of this sender; of any sender, if it is not known. */
    long last(long session) {
        return lastOf.getOrDefault(session, highest);
    }

    /**
     * Returns the number of the line that the next ones of this sender follow. One that is not known decides by its first number
     * where it goes on: it has asked before.
     *
     * @param firstLine the number of the next line; 0 if the sender does not number its lines
     */
    long before(long session, long firstLine) {
        boolean isNew = session != 0 && firstLine != 0 && !lastOf.containsKey(session);
        return isNew ? Math.min(highest, firstLine - 1) : last(session);
    }

    /**
     * Notes how far a sender is.
     *
     * @return false if it is not the only one: another has sent lines between two of its own
     */
    boolean sent(long session, long number) {
        boolean isAlone = session == latest || !lastOf.containsKey(session);
        latest = session;
        lastOf.remove(session);
        lastOf.put(session, number);
        Iterator<Long> oldest = lastOf.keySet().iterator();
        while (lastOf.size() > MOST) {
            oldest.next();
            oldest.remove();
        }
        found(number);
        return isAlone;
    }
}
