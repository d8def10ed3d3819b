package dev.resiliency.launcher.status;

import dev.resiliency.launcher.rendezvous.JobFeed;
import dev.resiliency.launcher.rendezvous.JobView;
import dev.resiliency.launcher.rendezvous.JobView.NodeRanks;
import dev.resiliency.launcher.status.StepHistory.Point;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * Takes down now and then how far a job has come, from what its agents have written lately. All ranks of a job make the same steps, so it
 * reads a few nodes only, however many there are.
 */
final class StepSampler {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final int MOST_NODES = 64;
    /** Nothing is due, but a wait has a limit. */
    private static final Duration LONG = Duration.ofHours(1);

    private StepSampler() {}

    /** Writes into the history until the thread is interrupted. */
    static void run(JobFeed feed, StepHistory history) {
        try {
            long seen = 0;
            while (true) {
                feed.awaitChange(seen, LONG);
                JobView view = feed.view(seen);
                seen = view.version();
                latest(view).ifPresent(history::add);
                Thread.sleep(PAUSE.toMillis());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the step of the most advanced rank of those that have come just now. */
    static Optional<Point> latest(JobView view) {
        return view.ranks().stream()
                .filter(NodeRanks::isLive) // when an older one was written, on this clock, is not known
                .limit(MOST_NODES)
                .flatMap(node -> points(node).stream())
                .max(Comparator.comparingLong(Point::step).thenComparingLong(Point::time));
    }

    private static Optional<Point> points(NodeRanks node) {
        try {
            return NodeSnapshot.read(node.json()).ranks().stream()
                    .filter(rank -> rank.state().equals("running"))
                    .mapToLong(RankSnapshot::step)
                    .filter(step -> step != RankSnapshot.UNKNOWN)
                    .boxed()
                    .max(Comparator.naturalOrder())
                    .map(step -> new Point(node.receivedAt(), step));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty(); // not written by an agent of this release
        }
    }
}
