package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A vote for another voter: given once that one stands, for as long as it answers. */
final class Offer extends Turn {
    private final Term least;
    /** The number for which the successor stands; asked again and again, as long as there is no store. */
    private CompletableFuture<Value> stands;

    private Stopwatch asked;
    /** Null until the vote is given. */
    private @Nullable Term term;
    /** The world on which the store is founded; null until the vote is given. */
    private @Nullable CompletableFuture<Value> base;
    /** Whether the voter is a member there, unless it has died, and has ceded; null before there is a store. */
    private @Nullable CompletableFuture<Boolean> membership;

    /** @param least the number for which the vote was given last: none before it is accepted */
    Offer(Scene scene, Term least) {
        super(scene);
        this.least = least;
        this.asked = new Stopwatch(scene.clock());
        this.stands = ask();
    }

    private CompletableFuture<Value> ask() {
        Batch batch = batch();
        Batch.Handle<Value> read = batch.add(new Operation.Get(key(STANDS)));
        return wakeWhenDone(submit(batch).thenApply(results -> results.get(read)));
    }

    @Override
    @Nullable
    Founded step() {
        Value standing = answerOf(stands);
        if (asked.hasReached(scene().voting().patience())) {
            if (standing == null) {
                throw new StoreException(whyWithout());
            }
            asked = new Stopwatch(scene().clock());
            stands = ask();
        }
        Term given = term;
        if (standing != null) {
            Term stood = Term.read(standing.text());
            given = given == null || stood.compareTo(given) > 0 ? give(stood) : given;
        }
        Value founded = base == null ? null : answerOf(base);
        return given == null || founded == null ? null : follow(given, founded.text());
    }

    private Term give(Term standing) {
        if (standing.compareTo(least) < 0) {
            throw new StoreException("successor %d stands for store %s, but this vote is for %s already"
                    .formatted(scene().seat().rank(), standing, least));
        }
        term = standing;
        Batch batch = batch();
        addVote(batch, standing);
        Batch.Handle<Value> read = batch.add(new Operation.Get(key(standing + FOUNDED)));
        base = wakeWhenDone(submit(batch).thenApply(results -> results.get(read)));
        return standing;
    }

    private @Nullable Founded follow(Term given, String text) {
        String[] fields = text.split(" ", -1);
        if (fields.length != KnownWorld.FIELDS + 1) {
            throw new IllegalArgumentException("no founded world: " + fields.length + " fields");
        }
        KnownWorld world = KnownWorld.read(fields, 0);
        if (membership == null) {
            if (votersJob()
                    .isDead()) { // the store may go on with this vote, even if its answer is lost: no other has it
                scene().cede().run();
            }
            membership = wakeWhenDone(votersJob().goOn(job(), given, world));
        }
        Boolean isMember = answerOf(membership);
        return isMember == null
                ? null
                : founded(given, world, Boolean.parseBoolean(fields[KnownWorld.FIELDS]), isMember);
    }

    @Override
    String whyWithout() {
        return "successor %d, which hosts the store next, %s"
                .formatted(scene().seat().rank(), answerOf(stands) == null ? "does not answer" : "has founded none");
    }

    @Override
    long untilNextStep() {
        return asked.nanosUntil(scene().voting().patience());
    }
}
