package dev.resiliency.inprocess.internal.loop;

/** Notices that the function leaves more threads behind with each restart. Confined to the monitor thread. */
final class LeftThreads {
    /** The number of restarts in a row after which their number must have grown. */
    static final int RESTARTS = 4;

    private int last;
    private int growths;
    private boolean isSaid;

    /** Counts the threads after a restart; returns whether to say that they grow, which is said once. */
    boolean grow(int count) {
        growths = count > last ? growths + 1 : 0;
        last = count;
        boolean saysSo = growths >= RESTARTS && !isSaid;
        isSaid |= saysSo;
        return saysSo;
    }
}
