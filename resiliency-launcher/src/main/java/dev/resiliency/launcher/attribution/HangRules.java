package dev.resiliency.launcher.attribution;

import java.util.List;

/** The rule about ranks that do not go on. Pure. */
final class HangRules {
    static final Rule RULE = new Rule(it -> it.first().hangs(), HangRules::hang);

    private HangRules() {}

    private static Judgement hang(Case it) {
        Casualty first = it.first();
        Evidence evidence = it.evidence();
        List<String> sections = evidence.sections();
        String place = first.place();
        List<Casualty> tied = it.incident().tied();
        return it.judgement(
                Cause.HANG_IN,
                place.isEmpty() ? CycleReport.names(tied.isEmpty() ? List.of(first) : tied, Casualty::who) : place,
                Suggestion.RESTART,
                why(first, tied),
                others(it),
                sections.isEmpty() ? "" : "open sections: " + String.join(" > ", sections),
                evidence.step() == null ? "" : "last step: " + evidence.step(),
                evidence.stack().isEmpty() ? "" : "stack: " + String.join(" < ", evidence.stack()));
    }

    private static String why(Casualty first, List<Casualty> tied) {
        String activity = first.standing().activity().words();
        if (!tied.isEmpty()) {
            return "none of %d ranks stands out, each %s: look at the code of that place"
                    .formatted(tied.size(), activity);
        }
        return switch (first.standing().activity()) {
            case SUSPENDED, SILENT ->
                "its process stands still: find out who suspended it, and whether its host swaps or collects garbage";
            case DEADLOCK -> "two of its threads wait for each other: correct the order of their locks";
            case SOCKET, STORE, PEERS ->
                "it %s, and nobody has said where the others stand: look at the code of that place".formatted(activity);
            case OUT_OF_MEMORY, NONE, SLEEP, NATIVE, LOCK, THREAD ->
                "if the same rank hangs again, look at its host; if another one does, look at the code of that place";
        };
    }

    /** Returns where those stand that only wait. */
    private static String others(Case it) {
        List<Casualty> waiting = it.incident().casualties().stream()
                .filter(each -> each.hangs() && it.incident().isFollower(each))
                .toList();
        if (waiting.isEmpty()) {
            return "";
        }
        Casualty one = waiting.get(0);
        return "waiting meanwhile: %s%s"
                .formatted(
                        CycleReport.names(waiting, Casualty::who), one.place().isEmpty() ? "" : ", in " + one.place());
    }
}
