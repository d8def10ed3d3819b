package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.StackFrames;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.launcher.attribution.Fact.Kind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process or a node that has failed in an incident, with all that is known of it.
 *
 * @param facts in the order of the store; at least one
 */
record Casualty(List<Fact> facts) {
    private static final Set<String> OUT_OF_MEMORY = Set.of("OUT_OF_MEMORY");
    static final Set<String> HARD_TIMEOUT = Set.of("HARD_TIMEOUT");
    private static final Set<String> SOFT = Set.of("SOFT_TIMEOUT", "WAITING");
    /** What wrappers record of ranks that do not go on. */
    static final Set<String> HANGS = Set.of("SOFT_TIMEOUT", "WAITING", "HARD_TIMEOUT", "COMPLETION_TIMEOUT");

    /** With what they record that a process has ended, or that its monitor process ends it. */
    private static final Set<String> ENDS = Set.of("TERMINATED", "HARD_TIMEOUT");

    /** With what they record an exception. */
    static final Set<String> THROWN = Set.of("EXCEPTION", "CONNECTION_LOST", "TERMINATED_BY_RANK");

    private static final String TERMINATED = "TERMINATED";
    private static final Set<String> EXCEPTION = Set.of("EXCEPTION");
    private static final Set<String> CONNECTION_LOST = Set.of("CONNECTION_LOST");

    /** Returns the fact that the store learned of first. */
    Fact first() {
        return facts.get(0);
    }

    /** Returns the fact that knows most of the process: its agent's. */
    private Fact known() {
        return facts.stream()
                .filter(fact -> fact.kind() != Kind.RECORDED)
                .findFirst()
                .orElse(first());
    }

    String who() {
        return known().who();
    }

    String node() {
        return known().node();
    }

    long pid() {
        return known().pid();
    }

    /** Returns what has happened to it, as a sentence. */
    String text() {
        return facts.stream()
                .map(Fact::text)
                .distinct()
                .reduce(who(), (all, next) -> all.equals(who()) ? all + " " + next : all + "; " + next);
    }

    Evidence evidence() {
        return facts.stream().map(Fact::evidence).reduce(Evidence.NONE, Evidence::and);
    }

    boolean has(Kind kind) {
        return facts.stream().anyMatch(fact -> fact.kind() == kind);
    }

    /** Returns whether its wrapper, or that of another rank, has recorded one of these of it. */
    boolean hasRecorded(Set<String> kinds) {
        return facts.stream().anyMatch(fact -> fact.wrapped() != null && kinds.contains(fact.wrapped()));
    }

    /** Returns whether nothing is known of it but that it did not go on, as its wrapper has found. */
    boolean onlyHangs() {
        return facts.stream().allMatch(fact -> fact.wrapped() != null && SOFT.contains(fact.wrapped()));
    }

    /** Returns whether it did not go on, and has not thrown before: a cleanup may wait for others that have not failed. */
    boolean hangs() {
        return isStuck() && !hasRecorded(EXCEPTION);
    }

    /** Returns whether it did not go on after it had thrown. */
    boolean hangsInCleanup() {
        return isStuck() && hasRecorded(EXCEPTION);
    }

    private boolean isStuck() {
        return hasRecorded(HANGS) || has(Kind.OVERDUE);
    }

    /**
     * Returns where its thread stood when it did not go on: its process is suspended, as its agent has seen; or as it says itself; or as a
     * thread dump shows; or its process has shown no progress. It is taken to run if nobody knows what it does.
     */
    Standing standing() {
        return first(Activity.SUSPENDED)
                .or(() -> first(Standing::isKnown))
                .or(this::dumped)
                .or(() -> first(Activity.SILENT))
                .orElseGet(() -> Standing.of(Activity.NONE).busy());
    }

    private Optional<Standing> first(Activity activity) {
        return first(standing -> standing.activity() == activity);
    }

    private Optional<Standing> first(Predicate<Standing> condition) {
        return facts.stream()
                .flatMap(fact -> Stream.ofNullable(fact.standing()))
                .filter(condition)
                .findFirst();
    }

    private List<String> frames() {
        List<String> stack = evidence().stack();
        return stack.isEmpty()
                ? first(standing -> !standing.frames().isEmpty())
                        .map(Standing::frames)
                        .orElse(List.of())
                : stack;
    }

    private Optional<Standing> dumped() {
        List<String> stack = evidence().stack();
        Activity known = evidence().activity();
        return stack.isEmpty() && known == null
                ? Optional.empty()
                : Optional.of(new Standing(known == null ? Standing.activityOf(stack) : known, true, stack));
    }

    /** Returns where it did not go on: the innermost open section, or else the method; empty if neither is known. */
    String place() {
        List<String> sections = evidence().sections();
        return sections.isEmpty()
                ? StackFrames.place(frames()).replaceFirst("\\(.*", "").replaceFirst("^.*/", "")
                : sections.get(sections.size() - 1);
    }

    /** Returns the text of the first such record; empty if there is none. */
    String recorded(Set<String> kinds) {
        return facts.stream()
                .filter(fact -> fact.wrapped() != null && kinds.contains(fact.wrapped()))
                .map(Fact::text)
                .findFirst()
                .orElse("");
    }

    @Nullable
    String signal() {
        return facts.stream()
                .map(Fact::signal)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Nullable
    Integer exitCode() {
        return facts.stream()
                .map(Fact::exitCode)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether only the others know that it is gone: its own agent has not said how. */
    boolean isOnlyMissed() {
        return facts.stream().allMatch(fact -> TERMINATED.equals(fact.wrapped()));
    }

    /** Returns whether its process is gone, or being ended, and its own agent has not said how it has ended. */
    boolean awaitsItsEnd() {
        return hasRecorded(ENDS) && facts.stream().allMatch(fact -> fact.kind() == Kind.RECORDED);
    }

    /** Returns whether its heap was too small. */
    boolean isOutOfHeap() {
        Evidence evidence = evidence();
        Thrown thrown = evidence.thrown();
        return (thrown != null && thrown.isOutOfMemory())
                || evidence.heapDump() != null
                || hasRecorded(OUT_OF_MEMORY)
                || first(Activity.OUT_OF_MEMORY).isPresent()
                || recorded(THROWN).contains("java.lang.OutOfMemoryError");
    }

    /** Returns whether its end explains nothing, since another one had failed before: it was asked to end, or lost its peer. */
    boolean isFollower() {
        boolean isAsked = facts.stream().allMatch(Fact::isAsked);
        Thrown printed = evidence().thrown();
        Thrown thrown = printed == null ? Thrown.of(recorded(EXCEPTION)) : printed;
        boolean lostPeer = hasRecorded(CONNECTION_LOST) || (thrown != null && thrown.isLossOfPeer());
        return isAsked || (lostPeer && evidence().crash() == null && signal() == null && !has(Kind.OVERDUE));
    }

    /** Returns a casualty that is both. */
    Casualty and(Casualty other) {
        return new Casualty(Stream.concat(facts.stream(), other.facts.stream())
                .sorted((one, two) -> Long.compare(one.number(), two.number()))
                .toList());
    }
}
