package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.store.Change;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The voter is a successor itself: it stands, and founds the store once more than half of the voters have come. */
final class Candidacy extends Turn {
    private final Term term;
    private final int lost;
    private final Duration stay;
    private final Stopwatch since;
    /** Filled by the store's thread. */
    private final Queue<Change.Written> came = new ConcurrentLinkedQueue<>();

    private final Map<Integer, Vote> votes = new TreeMap<>();
    private final CompletableFuture<?> standing;
    /** What the votes allow; null before the first. */
    private @Nullable Foundation foundation;
    /** Done when the store holds the job; null while votes are missed. */
    private @Nullable CompletableFuture<?> founding;
    /**
     * Done when nobody finds this voter standing any more; null while it stands. The end of the turn may drop what is not answered yet, and
     * whoever found it standing then would wait for it until the end of the election.
     */
    private @Nullable CompletableFuture<?> withdrawal;

    /**
     * Stands.
     *
     * @param term the number of the store
     * @param lost who hosted the one that is lost
     * @param stay how long it awaits votes before this voter looks whether another successor stands: not the same for two
     *     of them, so that they do not miss each other
     */
    Candidacy(Scene scene, Term term, int lost, Duration stay) {
        super(scene);
        this.term = term;
        this.lost = lost;
        this.stay = stay;
        this.since = new Stopwatch(scene.clock());
        Batch batch = batch();
        addVote(batch, term);
        batch.add(new Operation.WatchPrefix(key(term + VOTES), change -> {
            if (change instanceof Change.Written written) {
                came.add(written);
                scene.waker().wake();
            }
        }));
        batch.add(new Operation.Set(key(STANDS), Value.of(term.toString())));
        this.standing = submit(batch);
    }

    @Override
    @Nullable
    Founded step() {
        answerOf(standing);
        if (withdrawal != null) {
            return endWhenDone(withdrawal);
        }
        count();
        Foundation allowed = foundation;
        if (founding == null && allowed != null && allowed.isEnough() && allowed.isKnown()) {
            founding = found(allowed);
        }
        if (founding == null && since.hasReached(stay)) {
            Batch batch = batch();
            batch.add(new Operation.Delete(key(STANDS)));
            withdrawal = submit(batch);
            return endWhenDone(withdrawal);
        }
        if (founding == null || allowed == null || !founding.isDone()) {
            return null;
        }
        answerOf(founding);
        return founded(term, allowed.base(), allowed.isComplete(), true);
    }

    private @Nullable Founded endWhenDone(CompletableFuture<?> withdrawn) {
        if (!withdrawn.isDone()) {
            return null;
        }
        answerOf(withdrawn);
        throw new StoreException(whyWithout());
    }

    /** Counts the votes that have come, unless the store is being founded on those before. */
    private void count() {
        if (founding != null || came.isEmpty()) {
            return;
        }
        for (Change.Written written = came.poll(); written != null; written = came.poll()) {
            String key = written.key();
            try {
                votes.put(
                        Integer.parseInt(key.substring(key.lastIndexOf('/') + 1)),
                        Vote.read(written.value().text()));
            } catch (IllegalArgumentException ofAStranger) {
                // its voter, if it has one, is missed
            }
        }
        foundation = votes.isEmpty() ? null : Foundation.of(votes, votersJob().onlyMembersAccept());
    }

    private CompletableFuture<?> found(Foundation allowed) {
        Operation<?> mark = new Operation.Set(
                key(term + FOUNDED), Value.of(allowed.base().withText("").write() + " " + allowed.isComplete()));
        return wakeWhenDone(votersJob()
                .found(session(), term, allowed, lost, scene().clock().now(), mark));
    }

    @Override
    String whyWithout() {
        Foundation known = foundation;
        if (known == null) {
            return "no votes";
        }
        String came = "of the voters of iteration %d, %s have come, and %s are missed or in doubt"
                .formatted(known.base().iteration(), known.counted(), known.missing());
        return known.isEnough()
                ? came + ": none of them knows what was decided for it"
                : came + ": more than half are needed";
    }

    @Override
    long untilNextStep() {
        return founding == null && withdrawal == null ? since.nanosUntil(stay) : Long.MAX_VALUE;
    }
}
