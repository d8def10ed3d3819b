package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Cases that were computed with the reference implementation: every {@code *.json} of the folder that the system
 * property {@code rank.vectors} names, by default the copies among the resources.
 */
class RankAssignmentVectorsTest {
    private static final String DROPPED = "dropped";

    @TestFactory
    Stream<DynamicContainer> resultIsThatOfTheReference() throws Exception {
        List<Path> files = files();
        assertThat(files).as("files with vectors").isNotEmpty();
        return files.stream().map(RankAssignmentVectorsTest::testsOf);
    }

    private static List<Path> files() throws Exception {
        String given = System.getProperty("rank.vectors");
        URI copies = Objects.requireNonNull(RankAssignmentVectorsTest.class.getResource("/rank-assignment"))
                .toURI();
        try (Stream<Path> files = Files.list(given == null ? Path.of(copies) : Path.of(given))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    private static DynamicContainer testsOf(Path file) {
        List<DynamicTest> tests = new ArrayList<>();
        tests.add(DynamicTest.dynamicTest(
                "has cases", () -> assertThat(read(file).path("cases")).isNotEmpty()));
        for (JsonNode vector : cases(file)) {
            tests.add(DynamicTest.dynamicTest(vector.path("name").asText(), () -> {
                if (vector.has("layers")) {
                    checkTree(vector);
                } else {
                    checkComposition(vector);
                }
            }));
        }
        return DynamicContainer.dynamicContainer(file.getFileName().toString(), tests);
    }

    private static JsonNode cases(Path file) {
        try {
            return read(file).path("cases");
        } catch (IOException unreadable) {
            return new ObjectMapper().createArrayNode();
        }
    }

    private static JsonNode read(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    private static void checkTree(JsonNode vector) throws Exception {
        Tree tree = new Tree(elements(vector.required("layers"))
                .map(RankAssignmentVectorsTest::layer)
                .toArray(Layer[]::new));
        JsonNode divisor = vector.required("worldSizeDivisibleBy");
        if (!divisor.isNull()) {
            tree = tree.worldSizeFilter(size -> size / divisor.intValue() * divisor.intValue());
        }
        int worldSize = vector.required("worldSize").intValue();
        World world = Worlds.initial(tree, worldSize);
        for (JsonNode step : vector.required("steps")) {
            world = check(tree, Worlds.loseRanks(world, ranks(step.required("terminatedRanks"))), step, worldSize);
        }
    }

    private static Layer layer(JsonNode layer) {
        JsonNode keys = layer.required("keys");
        return Layer.by(initialRank -> keys.get(initialRank).asText())
                .minRanks(layer.required("minRanks").intValue())
                .maxRanks(limit(layer.required("maxRanks")))
                .flags(elements(layer.required("flags"))
                        .map(flag -> Layer.Flag.valueOf(flag.asText()))
                        .toArray(Layer.Flag[]::new));
    }

    private static void checkComposition(JsonNode vector) throws Exception {
        RankAssignment composition = RankAssignment.compose(elements(vector.required("compose"))
                .map(RankAssignmentVectorsTest::part)
                .toArray(RankAssignment[]::new));
        int worldSize = vector.required("worldSize").intValue();
        World world =
                Worlds.loseRanks(Worlds.initial(composition, worldSize), ranks(vector.required("terminatedRanks")));
        check(composition, world, vector, worldSize);
    }

    private static RankAssignment part(JsonNode part) {
        String type = part.required("type").asText();
        return switch (type) {
            case "ActivateAllRanks" -> RankAssignment.activateAllRanks();
            case "ShiftRanks" -> RankAssignment.shiftRanks();
            case "FillGaps" -> RankAssignment.fillGaps();
            case "MaxActiveWorldSize" -> RankAssignment.maxActiveWorldSize(limit(part.required("maxActiveWorldSize")));
            case "ActiveWorldSizeDivisibleBy" ->
                RankAssignment.activeWorldSizeDivisibleBy(
                        part.required("divisor").intValue());
            case "FilterCountGroupedByKey" -> {
                int groupSize = part.required("groupSize").intValue();
                int required = part.required("requiredCount").intValue();
                yield RankAssignment.filterCountGroupedByKey(
                        GroupKey.initialRankDividedBy(groupSize), count -> count >= required);
            }
            default -> throw new IllegalArgumentException("no such rank assignment: " + type);
        };
    }

    /** Compares the fate of each initial rank, and the sizes; the picture of the world makes a failure readable. */
    private static World check(RankAssignment assignment, World world, JsonNode expected, int worldSize) {
        World next = assignment.assign(world);
        Map<Integer, Placement> placements = new HashMap<>();
        next.placements().forEach(placement -> placements.put(placement.initialRank(), placement));
        assertThat(IntStream.range(0, worldSize).mapToObj(rank -> role(placements.get(rank), next)))
                .as(WorldPicture.full(world) + "\n became \n" + WorldPicture.full(next))
                .containsExactlyElementsOf(elements(expected.required("ranks"))
                        .map(rank -> role(rank, expected))
                        .toList());
        return next;
    }

    private static String role(@Nullable Placement placement, World world) {
        return placement == null
                ? DROPPED
                : role(
                        Integer.toString(placement.rank()),
                        world.size(),
                        placement.isActive() ? Integer.toString(placement.activeRank()) : "null",
                        world.activeSize());
    }

    /** Returns the role, whose sizes are in the vector of the rank or of the step. */
    private static String role(JsonNode rank, JsonNode step) {
        JsonNode sizes = rank.has("worldSize") ? rank : step;
        return rank.path("rank").isIntegralNumber()
                ? role(
                        rank.required("rank").asText(),
                        sizes.required("worldSize").intValue(),
                        rank.required("activeRank").asText(),
                        sizes.required("activeWorldSize").intValue())
                : DROPPED;
    }

    private static String role(String rank, int worldSize, String activeRank, int activeWorldSize) {
        return "rank %s of %d, active rank %s of %d".formatted(rank, worldSize, activeRank, activeWorldSize);
    }

    private static int limit(JsonNode number) {
        return number.isNull() ? Integer.MAX_VALUE : number.intValue();
    }

    private static int[] ranks(JsonNode array) {
        return elements(array).mapToInt(JsonNode::intValue).toArray();
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
