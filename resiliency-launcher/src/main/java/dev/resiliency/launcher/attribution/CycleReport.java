package dev.resiliency.launcher.attribution;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Why a job was interrupted, from the first fault until its world was whole again. The number of its cycle alone does not name an
 * incident: with the policy {@code soft} it stays the same.
 *
 * @param number from 1, in the order of the reports
 * @param cycle of the job in which its first fault has happened: the next one may have begun by the time of the report
 * @param time when the first fault was noticed, in milliseconds since the epoch on the clock of its host
 * @param ended when the report was written, on the clock of the host that wrote it
 * @param verdict the cause and what it is about: {@code SEGFAULT(libshard.so)}
 * @param suggestion what to do: {@code RESTART}, {@code EXCLUDE_HOST} or {@code STOP}
 * @param why it is suggested
 * @param times how often there was the same verdict before
 * @param first who failed first; several names if they hang alike
 * @param node of the first; empty if it is not known
 * @param evidence by which the verdict was found
 * @param followers those who failed, or were ended, only since another one had failed
 * @param others those who have failed besides, each with what happened
 * @param isWholeAgain whether all processes that have ended run again and take part, and no node is missing
 * @param wholeAfter how many milliseconds that has taken, if it is
 * @param steps how many steps are repeated, or why that is unknown, as text; null if no restart has followed
 * @param repeated the number of them, or the least that it can be; null if it is unknown
 * @param facts the first of what is known, in the order of the store
 * @param lastFact the number of the last one that it covers
 * @param external what the attribution service says; null if there is none, or it has not answered yet
 */
public record CycleReport(
        long number,
        int cycle,
        long time,
        long ended,
        String verdict,
        String cause,
        String suggestion,
        String why,
        int times,
        String first,
        String node,
        List<String> evidence,
        List<String> followers,
        List<String> others,
        boolean isWholeAgain,
        long wholeAfter,
        @Nullable String steps,
        @Nullable Long repeated,
        List<Fact> facts,
        long lastFact,
        @Nullable Recommendation external) {
    private static final int MOST_FACTS = 64;
    private static final int MOST_NAMES = 1024;
    private static final int MOST_ALTERNATIVES = 3;

    /** Copies the lists. */
    public CycleReport {
        evidence = List.copyOf(evidence);
        followers = List.copyOf(followers);
        others = List.copyOf(others);
        facts = List.copyOf(facts);
    }

    /** Judges an incident. */
    static CycleReport of(Incident incident, long now, JobHistory before) {
        Judgement judged = Rules.judge(incident);
        Casualty first = incident.first();
        List<Casualty> firsts = incident.tied().isEmpty() ? List.of(first) : incident.tied();
        Judgement judgement = judged.after(before, incident);
        return new CycleReport(
                0,
                first.first().cycle(),
                first.first().time(),
                now,
                judgement.verdict(),
                judgement.cause().name(),
                judgement.suggestion().name(),
                judgement.why(),
                before.times(judged.verdict()),
                names(firsts, Casualty::who),
                names(firsts, Casualty::node),
                judgement.evidence(),
                first(MOST_NAMES, incident.followers()),
                first(MOST_FACTS, incident.others().stream().map(Casualty::text).toList()),
                incident.isWholeAgain(),
                incident.lasted().toMillis(),
                null,
                null,
                first(MOST_FACTS, incident.facts()),
                incident.facts().get(incident.facts().size() - 1).number(),
                null);
    }

    /** Returns the names of which each may be the one: {@code rank 0 or rank 1}; empty if there is none. */
    static String names(List<Casualty> all, Function<Casualty, String> name) {
        List<String> names = all.stream()
                .map(name)
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
        return names.size() > MOST_ALTERNATIVES
                ? String.join(" or ", names.subList(0, MOST_ALTERNATIVES))
                        + " or one of %d more".formatted(names.size() - MOST_ALTERNATIVES)
                : String.join(" or ", names);
    }

    /** A fault of thousands of ranks must fit into a value of the store. */
    private static <T> List<T> first(int most, List<T> all) {
        return all.subList(0, Math.min(most, all.size()));
    }

    /** Returns the report with its number. */
    CycleReport numbered(long newNumber) {
        return with(newNumber, steps, repeated, external);
    }

    /** Returns the report with what the attribution service says. */
    CycleReport with(Recommendation answer) {
        return with(number, steps, repeated, answer);
    }

    /** Returns the report with how many steps are repeated, or why nobody knows it. */
    CycleReport with(Repetition repetition, boolean areStepsTold) {
        return with(number, repetition.text(areStepsTold), repetition.repeated(), external);
    }

    private CycleReport with(
            long newNumber, @Nullable String newSteps, @Nullable Long newRepeated, @Nullable Recommendation answer) {
        return new CycleReport(
                newNumber,
                cycle,
                time,
                ended,
                verdict,
                cause,
                suggestion,
                why,
                times,
                first,
                node,
                evidence,
                followers,
                others,
                isWholeAgain,
                wholeAfter,
                newSteps,
                newRepeated,
                facts,
                lastFact,
                answer);
    }

    /** Returns the report in one line. */
    public String line() {
        String others = followers.isEmpty()
                ? ""
                : followers.size() == 1 ? "; 1 more followed" : "; %d more followed".formatted(followers.size());
        return "report %d: %s%s, first %s%s: %s (%s)%s"
                .formatted(
                        number,
                        verdict,
                        node.isEmpty() ? "" : " on node " + node,
                        first,
                        others,
                        suggestion.toLowerCase(Locale.ROOT).replace('_', ' '),
                        why,
                        repeated == null ? "" : "; " + steps);
    }

    /** Returns the report as JSON, in one line. */
    public String json() {
        return Json.write(this);
    }

    /** Returns the number of the fact that it begins with. */
    long firstFact() {
        return facts.isEmpty() ? 0 : facts.get(0).number();
    }
}
