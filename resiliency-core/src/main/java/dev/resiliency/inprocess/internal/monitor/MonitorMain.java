package dev.resiliency.inprocess.internal.monitor;

/** The program of a monitor process. Only {@link ChildPipe} starts it: it reads its options from standard input. */
final class MonitorMain {
    private MonitorMain() {}

    /** Runs until the rank says goodbye, or has died and its death is reported. */
    @SuppressWarnings("SystemOut") // the pipe to the rank
    public static void main(String[] arguments) throws InterruptedException {
        String remark = IgnoredSignals.ignore() ? "" : "; signals cannot be ignored: Ctrl-C ends this process, too";
        boolean hasWatched = new MonitorSession(System.in, System.out, remark).run();
        // The rank waits for this process, so no thread of a library may delay its end.
        Runtime.getRuntime().halt(hasWatched ? 0 : 1);
    }
}
