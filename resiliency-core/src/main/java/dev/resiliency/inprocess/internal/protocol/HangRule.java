package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.inprocess.spi.stack.Suspects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges the records of an iteration in which ranks made no progress: whoever notices a hang first has perhaps only waited. Pure. */
public final class HangRule {
    private HangRule() {}

    static boolean isHang(Kind kind) {
        return kind == Kind.SOFT_TIMEOUT || kind == Kind.WAITING;
    }

    /** Returns the kind of the record of a rank that has said this of itself. */
    public static Kind kindOf(String text) {
        boolean isWait =
                Standing.read(text).filter(it -> it.activity().isForOthers()).isPresent();
        return isWait ? Kind.WAITING : Kind.SOFT_TIMEOUT;
    }

    /**
     * Returns the records with those first whom the others waited for, as {@link Kind#SOFT_TIMEOUT}, and those who waited as {@link
     * Kind#WAITING}. Who ran meanwhile is left out unless the others waited for it. What a rank says of where it stands counts once: it
     * may have found the hang itself, and be asked besides.
     */
    static List<Interruption> judge(List<Interruption> records) {
        Map<Integer, Standing> standings = new LinkedHashMap<>();
        records.forEach(record -> standing(record).ifPresent(it -> standings.putIfAbsent(record.rank(), it)));
        Set<Integer> failed = records.stream()
                .filter(HangRule::explainsHangs)
                .map(Interruption::rank)
                .collect(Collectors.toSet());
        boolean isExplained = !failed.isEmpty();
        List<Integer> suspects = isExplained ? List.of() : Suspects.among(standings);
        List<Interruption> judged = new ArrayList<>();
        suspects.forEach(rank -> records.stream()
                .filter(record -> record.rank() == rank && standing(record).isPresent())
                .findFirst()
                .ifPresent(record -> judged.add(as(Kind.SOFT_TIMEOUT, record))));
        Set<Integer> said = new HashSet<>();
        for (Interruption record : records) {
            Optional<Standing> standing = standing(record);
            boolean isRepeated = standing.isPresent() && !said.add(record.rank());
            if (standing.isEmpty()) {
                judged.add(record);
            } else if (failed.contains(record.rank()) && !isRepeated) {
                judged.add(as(Kind.SOFT_TIMEOUT, record));
            } else if (!suspects.contains(record.rank()) && !isRepeated && isWorthSaying(standing.get())) {
                judged.add(isExplained ? record : as(Kind.WAITING, record));
            }
        }
        Set<Integer> located = judged.stream()
                .filter(record ->
                        record.kind() == Kind.SOFT_TIMEOUT && standing(record).isPresent())
                .map(Interruption::rank)
                .collect(Collectors.toSet());
        // Its monitor process says the same, and less.
        judged.removeIf(record ->
                record.kind() == Kind.SOFT_TIMEOUT && standing(record).isEmpty() && located.contains(record.rank()));
        return judged;
    }

    private static Optional<Standing> standing(Interruption record) {
        return isHang(record.kind()) ? Standing.read(record.message()) : Optional.empty();
    }

    /** The end of a connection does not: whoever hangs breaks none. */
    private static boolean explainsHangs(Interruption record) {
        return record.kind().isFault()
                && record.kind() != Kind.CONNECTION_LOST
                && standing(record).isEmpty();
    }

    private static boolean isWorthSaying(Standing standing) {
        return standing.isSilent() || standing.activity().isForOthers();
    }

    private static Interruption as(Kind kind, Interruption record) {
        return new Interruption(record.rank(), kind, record.time(), record.message());
    }
}
