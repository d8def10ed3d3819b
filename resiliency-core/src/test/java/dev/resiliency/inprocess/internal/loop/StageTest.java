package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StageTest {
    /**
     * Transitions are stated once, by the stages that each stage creates; a new one must be listed here and visited by
     * a test.
     */
    @Test
    void stagesCreateOnlyTheirSuccessors() {
        Set<String> made = new TreeSet<>();
        for (Class<?> stage : Stage.class.getPermittedSubclasses()) {
            JavaClass type = new ClassFileImporter().importClass(stage);
            type.getAccessesFromSelf().stream()
                    .flatMap(access -> stagesMadeBy(
                            access.getTargetOwner().getSimpleName(),
                            access.getTarget().getName()))
                    .filter(target -> isStage(target) && !target.equals(stage.getSimpleName()))
                    .forEach(target -> made.add(stage.getSimpleName() + " -> " + target));
        }

        assertThat(made).isEqualTo(allowed());
    }

    private static Stream<String> stagesMadeBy(String type, String method) {
        return switch (method) {
            case "<init>", "finalizing", "withoutHook" -> Stream.of(type);
            case "enter" -> type.equals("Agreeing") ? Stream.of("Running", "Agreeing") : Stream.of("Running");
            case "after" -> type.equals("Regrouping") ? Stream.of("Regrouping", "Refounding") : Stream.of();
            case "finish" -> Stream.of("Finishing", "Acknowledging");
            case "afterLoss" -> Stream.of("Acknowledging", "Aborting");
            default -> Stream.of();
        };
    }

    private static boolean isStage(String name) {
        return Arrays.stream(Stage.class.getPermittedSubclasses())
                .anyMatch(stage -> stage.getSimpleName().equals(name));
    }

    private static Set<String> allowed() {
        return Transitions.ALL.stream()
                .map(transition -> transition.split(" -> ", -1))
                .map(sides -> new String[] {stageOf(sides[0]), stageOf(sides[1])})
                .filter(sides -> !sides[0].equals(sides[1]))
                .map(sides -> sides[0] + " -> " + sides[1])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String stageOf(String state) {
        return switch (LoopState.valueOf(state)) {
            case FOUNDING, REGROUPING -> "Regrouping";
            case FINALIZING, CHECKING_HEALTH -> "Settling";
            default ->
                Stream.of(state.split("_", -1))
                        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining());
        };
    }
}
