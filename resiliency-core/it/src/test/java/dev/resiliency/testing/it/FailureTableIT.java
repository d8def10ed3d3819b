package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.it.CellProgram.Cell;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The failure table: every kind of fault, in worlds of several sizes, with a process for each rank. The processes that
 * survive a cell are used for the next one, which also shows that no cell leaves anything behind.
 */
class FailureTableIT {
    /**
     * For each kind: the fate of the rank that it hits, what all restarting ranks read about it, and who notices it.
     */
    private static final String TABLE = """
        EXCEPTION       | restarts                                | EXCEPTION                 | at once
        ERROR           | restarts                                | EXCEPTION                 | at once
        ASYNC_EXCEPTION | restarts                                | EXCEPTION                 | at once
        SIGKILL         | dies with 137                           | TERMINATED                | at once
        SIGTERM         | dies with 143                           | TERMINATED                | at once
        SIGINT          | dies with 130                           | TERMINATED                | at once
        SIGSEGV         | dies with 134                           | TERMINATED                | at once
        ABORT           | dies with 134                           | TERMINATED                | at once
        SYSTEM_EXIT     | dies with 17                            | TERMINATED                | at once
        SLEEP_FOREVER   | restarts                                | SOFT_TIMEOUT              | by softTimeout
        STOP_PING       | restarts                                | SOFT_TIMEOUT              | by softTimeout
        BLOCKED_READ    | restarts                                | SOFT_TIMEOUT              | by softTimeout
        SPIN_FOREVER    | restarts                                | SOFT_TIMEOUT              | by softTimeout
        DEADLOCK        | dies with 143                           | SOFT_TIMEOUT HARD_TIMEOUT | by hardTimeout
        BLOCKED_NATIVE  | dies with 143                           | SOFT_TIMEOUT HARD_TIMEOUT | by hardTimeout
        SIGSTOP         | dies with 143                           | SOFT_TIMEOUT HARD_TIMEOUT | by hardTimeout
        OUT_OF_MEMORY   | leaves with java.lang.OutOfMemoryError  | TERMINATED_BY_RANK        | at once
        KILL_MONITOR    | leaves with ....MonitorProcessException | MONITOR_PROCESS_LOST      | at once
        HOST_LOSS       | is silent                               | TERMINATED                | by heartbeatTimeout
        """;

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private static Path directory;

    private static final Deque<RankProcess> FREE = new ArrayDeque<>();
    private static final Map<RankProcess, Path> TEMPORARY = new HashMap<>();
    private static int started;

    /** A row of the table. */
    record Row(FaultKind kind, String fate, List<String> causes, String noticed) {
        static Stream<Row> all() {
            return TABLE.lines()
                    .map(line -> line.split(" *\\| *", -1))
                    .map(cells -> new Row(
                            FaultKind.valueOf(cells[0]),
                            cells[1].trim().replace("....", "dev.resiliency.inprocess."),
                            List.of(cells[2].split(" ", -1)),
                            cells[3].trim()));
        }

        boolean survives() {
            return fate.equals("restarts");
        }

        /** {@code dies}, {@code leaves}, {@code is}. */
        String verb() {
            return fate.split(" ", 2)[0];
        }

        /** Returns the exit code or exception of that fate. */
        String with() {
            return fate.substring(fate.lastIndexOf(' ') + 1);
        }
    }

    /** The cells that every build plays: one kind of those that the job goes through in the same way, in a world of 4. */
    static Stream<Arguments> cells() {
        Set<List<Object>> known = new HashSet<>();
        return Row.all()
                .filter(row -> known.add(List.of(row.verb(), row.causes(), row.noticed())))
                .map(row -> Arguments.of(row.kind(), 4, row));
    }

    static Stream<Arguments> allCells() {
        return Stream.of(2, 8).flatMap(worldSize -> Row.all().map(row -> Arguments.of(row.kind(), worldSize, row)));
    }

    @Test
    void tableHasEachKindOfFaultOnce() {
        assertThat(Row.all().map(Row::kind)).containsExactlyInAnyOrder(FaultKind.values());
    }

    @Test
    void kindsAgreeWithTheTable() {
        assertThat(Row.all()).allSatisfy(row -> {
            assertThat(row.kind().isNoticedByTimeout()).isEqualTo(!row.noticed().equals("at once"));
            assertThat(row.kind().effect())
                    .isEqualTo(
                            switch (row.verb()) {
                                case "restarts" -> Effect.RESTART;
                                case "dies" -> Effect.DEATH;
                                case "leaves" -> Effect.DEPARTURE;
                                default -> Effect.SILENCE;
                            });
        });
    }

    @ParameterizedTest(name = "{0} in a world of {1}")
    @MethodSource("cells")
    void faultHasTheEffectInTheTable(FaultKind kind, int worldSize, Row row) throws Exception {
        playAmong(worldSize, row);
    }

    @Tag("full")
    @ParameterizedTest(name = "{0} in a world of {1}")
    @MethodSource("allCells")
    void everyFaultHasTheEffectInTheTable(FaultKind kind, int worldSize, Row row) throws Exception {
        playAmong(worldSize, row);
    }

    private static void playAmong(int worldSize, Row row) throws Exception {
        List<RankProcess> ranks = take(worldSize);
        try {
            play(row, ranks);
        } finally {
            giveBack(ranks);
        }
    }

    /** JVMTI, reached through JNA, can end a computation; without it only the end of the process does. */
    @Tag("full")
    @Test
    void spinningFunctionCostsItsProcessWithoutJna() throws Exception {
        String withoutJna = Stream.of(CLASS_PATH.split(File.pathSeparator, -1))
                .filter(path -> !path.contains("jna"))
                .collect(Collectors.joining(File.pathSeparator));
        Row row = new Row(
                FaultKind.SPIN_FOREVER, "dies with 143", List.of("SOFT_TIMEOUT", "HARD_TIMEOUT"), "by hardTimeout");
        List<RankProcess> ranks = List.of(start(started++, withoutJna), start(started++, withoutJna));
        try {
            play(row, ranks);
        } finally {
            ranks.forEach(RankProcess::close);
        }
    }

    private static void play(Row row, List<RankProcess> ranks) throws Exception {
        int worldSize = ranks.size();
        int hit = rankToHit(worldSize);
        try (TcpStoreServer store = TcpStoreServer.builder().start()) {
            for (int rank = 0; rank < worldSize; rank++) {
                ranks.get(rank)
                        .send(cell(row, rank, worldSize, store.port(), hit).toLine());
            }

            List<RankProcess> survivors = new ArrayList<>(ranks);
            if (!row.survives()) {
                survivors.remove(hit);
            }
            for (RankProcess survivor : survivors) {
                assertRestarts(row, survivor, ranks, survivors);
            }
            if (!row.survives()) {
                assertEnds(row, ranks.get(hit));
            }
        }
    }

    /** Returns in turn the last rank, the leader, and one in between. */
    private static int rankToHit(int worldSize) {
        return switch (worldSize) {
            case 2 -> 1;
            case 4 -> 0;
            default -> worldSize / 2 + 1;
        };
    }

    /** Only the limit that must detect the fault is short: a slow machine must not look like another fault. */
    private static Cell cell(Row row, int rank, int worldSize, int port, int hit) {
        boolean hard = row.noticed().equals("by hardTimeout");
        return new Cell(
                rank,
                worldSize,
                port,
                Fault.atStep(row.kind(), hit, 1),
                // A rank leaves by itself after both, which must not be the first to happen on a busy host.
                hard ? 3000 : row.noticed().equals("by softTimeout") ? 1000 : 20_000,
                hard ? 4000 : 40_000,
                row.noticed().equals("by heartbeatTimeout") ? 5000 : 30_000);
    }

    private static void assertRestarts(Row row, RankProcess rank, List<RankProcess> before, List<RankProcess> after)
            throws InterruptedException {
        rank.awaitLine("END");
        List<String> expected = new ArrayList<>();
        expected.add("ENTERED %d of %d, iteration 0".formatted(before.indexOf(rank), before.size()));
        row.causes().forEach(record -> expected.add("CAUSE " + record + " on " + rankToHit(before.size())));
        expected.add("ENTERED %d of %d, iteration 1".formatted(after.indexOf(rank), after.size()));
        expected.addAll(List.of("RESULT " + after.indexOf(rank), "LEFT []", "END"));
        assertThat(rank.lines()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void assertEnds(Row row, RankProcess rank) throws Exception {
        switch (row.verb()) {
            case "dies" -> {
                assertThat(rank.awaitExit()).isEqualTo(Integer.parseInt(row.with()));
                assertThat(rank.lines())
                        .filteredOn(line -> !line.startsWith("#")) // as the virtual machine reports its crash
                        .singleElement()
                        .asString()
                        .startsWith("ENTERED");
                rank.awaitThat(
                        "ends, and then its monitor process, which cleans up",
                        () -> rank.family().isEmpty()
                                && Leftovers.filesIn(temporaryOf(rank))
                                        .findAny()
                                        .isEmpty());
            }
            case "leaves" -> {
                rank.awaitLine("END");
                assertThat(rank.lines())
                        .hasSize(4)
                        .contains("THROWN " + row.with(), "LEFT []")
                        .noneMatch(line -> line.endsWith("iteration 1"));
            }
            default -> {
                assertThat(rank.lines()).singleElement().asString().startsWith("ENTERED");
                assertThat(rank.family()).as("the rank and its monitor process").hasSize(2);
            }
        }
    }

    /** Returns processes that wait for a job; starts new ones if there are too few. */
    private static List<RankProcess> take(int count) throws IOException {
        List<RankProcess> taken = new ArrayList<>();
        while (taken.size() < count) {
            taken.add(FREE.isEmpty() ? start(started++, CLASS_PATH) : FREE.remove());
        }
        return taken;
    }

    /** Starts a process that reads its cells from standard input. */
    private static RankProcess start(int number, String classPath) throws IOException {
        Path work = Files.createDirectories(directory.resolve("process-" + number));
        RankProcess process = ProcessJob.builder(CellProgram.class, work)
                .classPath(classPath)
                .start()
                .rank(0);
        TEMPORARY.put(process, work.resolve("tmp-0"));
        return process;
    }

    private static Path temporaryOf(RankProcess process) {
        return Objects.requireNonNull(TEMPORARY.get(process));
    }

    private static void giveBack(List<RankProcess> processes) {
        for (RankProcess process : processes) {
            if (process.lines().contains("END")) {
                process.takeLines();
                FREE.add(process);
            } else {
                process.close();
            }
        }
    }

    @AfterAll
    static void survivingProcessesEndNormally() throws Exception {
        for (RankProcess process : FREE) {
            process.closeInput();
        }
        for (RankProcess process : FREE) {
            assertThat(process.awaitExit()).isZero();
            assertThat(process.family()).isEmpty();
            process.close();
        }
    }
}
