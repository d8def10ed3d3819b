package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.inprocess.spi.stack.Suspects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges the records of an iteration in which ranks made no progress: whoever notices a hang first has perhaps only waited. Pure. */
public final class HangRule {
    private HangRule() {}

    static boolean isHang(Kind kind) {
        return kind == Kind.SOFT_TIMEOUT || kind == Kind.WAITING;
    }

    /** Returns the kind of the record of a rank whose function stands there. */
    public static Kind kindOf(Standing standing) {
        return standing.activity().isForOthers() ? Kind.WAITING : Kind.SOFT_TIMEOUT;
    }

    /**
     * Returns the records with those first whom the others waited for, as {@link Kind#SOFT_TIMEOUT}, and those who waited as {@link
     * Kind#WAITING}. Who ran meanwhile is left out unless the others waited for it. Where a rank stands counts once, and as it says itself:
     * it may have found the hang, be asked besides, and be starved, so that its monitor process has seen no progress.
     */
    static List<Interruption> judge(List<Interruption> records) {
        Map<Integer, Interruption> told = new HashMap<>();
        Map<Integer, Standing> standings = new LinkedHashMap<>();
        for (Interruption record : records) {
            Standing standing = standing(record);
            Standing before = standings.get(record.rank());
            if (standing != null && (before == null || (standing.isKnown() && !before.isKnown()))) {
                told.put(record.rank(), record);
                standings.put(record.rank(), standing);
            }
        }
        Set<Integer> failed = ranks(records, HangRule::explainsHangs);
        Set<Integer> followers = ranks(records, record -> record.kind() == Kind.CONNECTION_LOST);
        List<Integer> suspects = failed.isEmpty() ? Suspects.among(standings, followers) : List.of();
        List<Interruption> judged = new ArrayList<>();
        suspects.forEach(rank -> judged.add(as(Kind.SOFT_TIMEOUT, Objects.requireNonNull(told.get(rank)))));
        Set<Integer> said = new HashSet<>(suspects);
        for (Interruption record : records) {
            int rank = record.rank();
            Standing standing = isHang(record.kind()) ? standings.get(rank) : null;
            if (standing == null) {
                judged.add(record);
            } else if (said.add(rank)) {
                Interruption own = Objects.requireNonNull(told.get(rank));
                if (failed.contains(rank)) {
                    judged.add(as(Kind.SOFT_TIMEOUT, own));
                } else if (isWorthSaying(standing)) {
                    judged.add(failed.isEmpty() ? as(Kind.WAITING, own) : own);
                }
            }
        }
        return judged;
    }

    private static Set<Integer> ranks(List<Interruption> records, Predicate<Interruption> condition) {
        return records.stream().filter(condition).map(Interruption::rank).collect(Collectors.toSet());
    }

    private static @Nullable Standing standing(Interruption record) {
        return isHang(record.kind()) ? record.standing() : null;
    }

    /** The end of a connection does not: whoever hangs breaks none. */
    private static boolean explainsHangs(Interruption record) {
        return record.kind().isFault() && record.kind() != Kind.CONNECTION_LOST && standing(record) == null;
    }

    private static boolean isWorthSaying(Standing standing) {
        return standing.isSilent() || standing.activity().isForOthers();
    }

    private static Interruption as(Kind kind, Interruption record) {
        return new Interruption(record.rank(), kind, record.time(), record.message(), record.standing());
    }
}
