package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.protocol.Member;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The rules of {@code docs/model/refound.pml}, of which a history may break one, by what arrives at a store. */
enum Rule {
    /** None is broken. */
    NONE(1),
    /** The old store goes on without half, so that worlds in doubt are built and completed upon. */
    KEEP(1) {
        @Override
        Operation<?> instead(Operation<?> operation, Facts facts) {
            return isHalf(operation, "/entered") ? NOTHING : operation;
        }
    },
    /** Lost voters do not count, for the old store. */
    EXCUSE_KEEP(1) {
        @Override
        List<Operation<?>> distort(List<Operation<?>> operations, Facts facts) {
            for (Operation<?> operation : operations) {
                if (isHalf(operation, "") && operation instanceof Operation.Arrive arrive) {
                    return List.of(
                            new Operation.AddToSet(
                                    String.valueOf(arrive.barrier().excusedIn()), facts.gone()),
                            arrive);
                }
            }
            return operations;
        }
    },
    /** Half founds a store. */
    TIE(1) {
        @Override
        List<Operation<?>> distort(List<Operation<?>> operations, Facts facts) {
            return withVotesOf(IndexSet.of(0), operations);
        }
    },
    /** Lost voters do not count, for a new store. */
    EXCUSE_FOUND(1) {
        @Override
        List<Operation<?>> distort(List<Operation<?>> operations, Facts facts) {
            return withVotesOf(facts.gone(), operations);
        }
    },
    /** A candidate looks only at what it has accepted itself. */
    BASE(797) {
        @Override
        Vote instead(Vote vote, Facts facts) {
            Vote own = facts.candidate();
            return own == null
                    ? vote
                    : new Vote(vote.term(), own.accepted(), own.accepted(), vote.completed(), vote.ceded());
        }
    },
    /** Counts those who have accepted a world in doubt. */
    COUNT(38) {
        @Override
        Vote instead(Vote vote, Facts facts) {
            return new Vote(vote.term(), vote.agreed(), vote.agreed(), vote.completed(), vote.ceded());
        }
    },
    /** Takes a world in doubt for void before all its members have voted. */
    VOID(1) {
        @Override
        Vote instead(Vote vote, Facts facts) {
            return vote.accepted().iteration() == vote.agreed().iteration()
                    ? vote
                    : new Vote(
                            vote.term(),
                            vote.agreed(),
                            withoutMembers(vote.accepted()),
                            vote.completed(),
                            vote.ceded());
        }

        private static KnownWorld withoutMembers(KnownWorld world) {
            return new KnownWorld(world.term(), world.iteration(), IndexSet.empty(), world.text());
        }
    },
    /** Returns before half know of the completion. */
    RETURN(400) {
        @Override
        Operation<?> instead(Operation<?> operation, Facts facts) {
            return isHalf(operation, "/acknowledged") ? NOTHING : operation;
        }
    },
    /** A candidate ignores a completion. */
    FIN(1) {
        @Override
        Vote instead(Vote vote, Facts facts) {
            return new Vote(vote.term(), vote.agreed(), vote.accepted(), false, vote.ceded());
        }
    },
    /** Counts those who accept whatever the old store decides. */
    CEDE(1009) {
        @Override
        Vote instead(Vote vote, Facts facts) {
            return new Vote(vote.term(), vote.agreed(), vote.accepted(), vote.completed(), false);
        }
    },
    /** A voter follows the store that it has given up. */
    FENCE(1) {
        @Override
        void enrolled(Member there) {
            there.cede();
        }
    };

    private static final Operation<?> NOTHING = new Operation.Set("nothing", Value.of("nothing"));

    private final int first;

    /** @param first the history from which on it is found soon */
    Rule(int first) {
        this.first = first;
    }

    int first() {
        return first;
    }

    /**
     * What a broken rule looks at.
     *
     * @param candidate the vote of the one whose store it is
     * @param gone those that have died with their monitor processes
     */
    record Facts(@Nullable Vote candidate, IndexSet gone) {}

    /** Returns what arrives at a store of a request. */
    List<Operation<?>> distort(List<Operation<?>> operations, Facts facts) {
        return this == NONE
                ? operations
                : operations.stream()
                        .<Operation<?>>map(each -> instead(withVote(each, vote -> instead(vote, facts)), facts))
                        .toList();
    }

    Operation<?> instead(Operation<?> operation, Facts facts) {
        return operation;
    }

    Vote instead(Vote vote, Facts facts) {
        return vote;
    }

    /** A voter has given up a store. */
    void enrolled(Member there) {}

    private static boolean isHalf(Operation<?> operation, String name) {
        return operation instanceof Operation.Arrive arrive
                && arrive.barrier().half()
                && arrive.barrier().name().endsWith(name);
    }

    private static Operation<?> withVote(Operation<?> operation, UnaryOperator<Vote> change) {
        return operation instanceof Operation.Set set && set.key().contains("/votes/")
                ? new Operation.Set(
                        set.key(),
                        Value.of(change.apply(Vote.read(set.value().text())).write()))
                : operation;
    }

    /** Lets these vote as somebody else does. */
    private static List<Operation<?>> withVotesOf(IndexSet ranks, List<Operation<?>> operations) {
        List<Operation<?>> more = new ArrayList<>(operations);
        for (Operation<?> operation : operations) {
            if (operation instanceof Operation.Set set && set.key().contains("/votes/")) {
                String votes = set.key().substring(0, set.key().lastIndexOf('/') + 1);
                ranks.forEach(rank -> more.add(0, new Operation.Set(votes + rank, set.value())));
            }
        }
        return more;
    }
}
