package dev.resiliency.examples.bench;

import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures what the leader computes after a fault: a tree of three layers, in which one rank of 16 is lost. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RankAssignmentBenchmark {
    private static final int RANKS_PER_HOST = 8;
    private static final int RANKS_PER_RACK = 128;
    private static final int ACTIVE_PER_HOST = 7;

    /** Flags of all layers. */
    public enum Flags {
        /** Gaps are shifted away. */
        NONE,
        /** Reserves take over. */
        RESERVE,
        /** The last ranks fill gaps. */
        BACKFILL,
        /** Reserves take over, and then the last ranks. */
        BOTH
    }

    /** Number of ranks. */
    @Param({"1024", "4096", "16384", "65536"})
    public int ranks = 1024;

    /** Strategy to replace lost ranks. */
    @Param
    public Flags flags = Flags.NONE;

    private Tree tree = new Tree(Layer.root());
    private World before = World.initial(0);

    /** For JMH. */
    public RankAssignmentBenchmark() {}

    /** Starts a job that has lost one rank of 16, at random. */
    @Setup
    public void loseRanks() {
        Layer.Flag[] set = switch (flags) {
            case NONE -> new Layer.Flag[0];
            case RESERVE -> new Layer.Flag[] {Layer.Flag.RESERVE};
            case BACKFILL -> new Layer.Flag[] {Layer.Flag.BACKFILL};
            case BOTH -> Layer.Flag.values();
        };
        tree = new Tree(
                Layer.root().flags(set),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_RACK)).flags(set),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_HOST))
                        .minRanks(2)
                        .maxRanks(ACTIVE_PER_HOST)
                        .flags(set));
        List<List<String>> keys = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            keys.add(List.of("root", "" + rank / RANKS_PER_RACK, "" + rank / RANKS_PER_HOST));
        }
        int[] lost = new Random(7).ints(0, ranks).distinct().limit(ranks / 16).toArray();
        before = tree.assign(World.initial(keys)).lose(IndexSet.of(lost));
    }

    /** Assigns the ranks of one restart. */
    @Benchmark
    public World assign() {
        return tree.assign(before);
    }
}
