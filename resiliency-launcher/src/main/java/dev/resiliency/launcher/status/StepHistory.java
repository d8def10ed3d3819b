package dev.resiliency.launcher.status;

import java.util.ArrayList;
import java.util.List;

/**
 * How far a job had come at which time, as long as somebody follows it. A long job has fewer points for each hour, so that it takes no
 * more memory than a short one. Safe for use by many threads: guarded by itself.
 */
final class StepHistory {
    /** How many points there may be. */
    static final int MOST = 720;

    private final List<Point> points = new ArrayList<>();

    /**
     * Some rank has come to a step.
     *
     * @param time in milliseconds since 1970, on the clock of this host
     */
    record Point(long time, long step) {}

    /** Adds a point; one that is no later than the last is nothing new. */
    synchronized void add(Point point) {
        if (!points.isEmpty() && point.time() <= points.get(points.size() - 1).time()) {
            return;
        }
        points.add(point);
        if (points.size() > MOST) {
            for (int i = points.size() - 2; i > 0; i -= 2) {
                points.remove(i);
            }
        }
    }

    /** Returns the points after a time, oldest first. */
    synchronized List<Point> after(long time) {
        return points.stream().filter(point -> point.time() > time).toList();
    }
}
