package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.cli.OriginalOption.Here;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What becomes of the options of torchrun and of nvidia-resiliency-ext. */
class OriginalOptionsTest {
    private static final Path DOCUMENT = Path.of("../docs/migrating-from-ft-launcher.md");
    private static final String HEADER = "| option | here | what differs, or why |";
    /** A command line that is complete, but for which no agent starts. */
    private static final List<String> INVALID = List.of("--spares", "-1", "--", "train.py");

    private final StringWriter errors = new StringWriter();

    private int run(List<String> arguments) {
        CommandLine program = ResiliencyCommand.commandLine();
        program.setErr(new PrintWriter(errors));
        List<String> all = Stream.of(List.of("run"), arguments, INVALID)
                .flatMap(List::stream)
                .toList();
        return ResiliencyCommand.execute(program, all.toArray(String[]::new));
    }

    private static CommandSpec spec() {
        return Objects.requireNonNull(
                        ResiliencyCommand.commandLine().getSubcommands().get("run"))
                .getCommandSpec();
    }

    private static Stream<OriginalOption> with(Here here) {
        return OriginalOptions.all().stream().filter(option -> option.here() == here);
    }

    static Stream<OriginalOption> withoutEffect() {
        return with(Here.WITHOUT_EFFECT);
    }

    static Stream<OriginalOption> refused() {
        return with(Here.REFUSED);
    }

    /** Returns the words by which an option is given. */
    private static List<String> words(OriginalOption option, String name) {
        return option.hasValue() ? List.of(name, "3") : List.of(name);
    }

    @Test
    void tableOfTheDocumentIsThatOfTheProgram() throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        List<String> rows = lines.stream()
                .skip(lines.indexOf(HEADER) + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();

        assertThat(rows).isEqualTo(rows());
    }

    /** Returns the options; those of which there is nothing to say come first. */
    private static List<OriginalOption> inOrder() {
        return OriginalOptions.all().stream()
                .sorted(Comparator.comparing(
                        option -> option.here() != Here.SAME || !option.remark().isEmpty()))
                .toList();
    }

    /** Returns the rows of the table: options of which the same is said have one together. */
    private static List<String> rows() {
        Map<String, String> names = new LinkedHashMap<>();
        for (OriginalOption option : inOrder()) {
            String here = switch (option.here()) {
                case SAME -> "";
                case RENAMED -> "`" + option.target() + "` ";
                case WITHOUT_EFFECT -> "no effect ";
                case REFUSED ->
                    option.harmless().isEmpty() ? "refused " : "refused, but for `" + option.harmless() + "` ";
            };
            String remark = option.remark().isEmpty() ? "" : option.remark() + " ";
            names.merge(
                    " | " + here + "| " + remark + "|",
                    option.names().stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")),
                    (one, two) -> one + ", " + two);
        }
        return names.entrySet().stream()
                .map(row -> "| " + row.getValue() + row.getKey())
                .toList();
    }

    @Test
    void noOptionHasTwoRows() {
        Set<String> names = new TreeSet<>();

        assertThat(OriginalOptions.all())
                .allSatisfy(option -> assertThat(option.names()).allMatch(names::add))
                .filteredOn(option -> option.here() == Here.WITHOUT_EFFECT || option.here() == Here.REFUSED)
                .noneMatch(option -> option.remark().isEmpty());
    }

    @Test
    void sameOptionsAndNewNamesAreOptionsOfRun() {
        assertThat(Stream.concat(with(Here.SAME), with(Here.RENAMED))).allSatisfy(option -> {
            OptionSpec found = Objects.requireNonNull(
                    OptionNames.find(spec(), "--" + option.names().get(0).replaceFirst("^--", "")), option.name());
            String expected = option.here() == Here.SAME ? option.name() : option.target();
            assertThat(found.names()).contains(expected);
            assertThat(found.hidden()).isFalse();
        });
    }

    @ParameterizedTest
    @MethodSource("withoutEffect")
    void optionWithoutEffectIsNamedWithTheReason(OriginalOption option) {
        for (String name : option.names()) {
            errors.getBuffer().setLength(0);

            assertThat(run(words(option, name))).isEqualTo(2); // for this reason alone

            assertThat(errors.toString())
                    .contains(
                            "accepted, but without effect: %s (%s)"
                                    .formatted(option.name().substring(2), option.remark()),
                            "spares is -1");
        }
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusedOptionSaysWhatToDo(OriginalOption option) {
        for (String name : option.names()) {
            errors.getBuffer().setLength(0);

            assertThat(run(words(option, name))).isEqualTo(2);

            assertThat(errors.toString())
                    .contains("%s is refused: %s".formatted(option.name(), option.remark()))
                    .doesNotContain("spares");
        }
        if (!option.harmless().isEmpty()) {
            errors.getBuffer().setLength(0);
            assertThat(run(List.of(option.names().get(0), option.harmless()))).isEqualTo(2);
            assertThat(errors.toString()).contains("spares is -1").doesNotContain("refused");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run --ft-enable-log-server true --ft-log-level DEBUG train.py|run --enable-log-server=true --log-level DEBUG train.py",
                "run --ft-enable-log-server False --nnodes 2 train.py|run --enable-log-server=False --nnodes 2 train.py",
                "run --enable-log-server --nnodes 2 train.py|run --enable-log-server --nnodes 2 train.py",
                "run --enable-log-server=true true|run --enable-log-server=true true",
                "run --ft-calculate_timeouts yes train.py|run --calculate-timeouts yes train.py",
                "run --ft-param-initial_rank_heartbeat_timeout 30 x|run --initial-rank-heartbeat-timeout 30 x",
                "run --ft-param-rank_heartbeat_timeout=30 x|run --rank-heartbeat-timeout=30 x",
                "run --term-timeout=15 --ft_storage_health_check_path /a x|run --grace=15 --storage-healthcheck-path /a x",
                "run -r 3 -t=3 --max_restarts 3 x -r 3|run -r 3 -t=3 --max-restarts 3 x -r 3",
                "run --no-python --ft_cfg_path=job.yaml train.py --ft_x|run --no-python --config=job.yaml train.py --ft_x",
                "run --no-such-option 1 --ft_segment 1 x|run --no-such-option 1 --ft_segment 1 x"
            })
    void lineIsReadWithTheNamesOfThisProgram(String line, String expected) {
        assertThat(OptionNames.normalize(ResiliencyCommand.commandLine(), line.split(" ", -1)))
                .containsExactly(expected.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ft-rank-heartbeat-timeout null --ft-initial-rank-heartbeat-timeout None|spares is -1",
                "--ft-rank-section-timeouts setup:null,step:30|spares is -1",
                "--ft-rank-section-timeouts null|spares is -1",
                "--nproc-per-node cpu|spares is -1",
                "--nproc-per-node auto|spares is -1",
                "--nproc-per-node xpu|'xpu' is no number of ranks: write a number, gpu, cpu or auto",
                "--log-dir logs --attribution-endpoint http://a:1 --ft-attribution-stop-action no-restart|spares is -1",
                "--attribution-endpoint http://a:1|--attribution-endpoint submits the logs of cycles",
                "--ft-attribution-stop-action no-restart|attribution-stop-action is 'stop'"
            })
    void valuesOfTheOriginalsAreUnderstood(String arguments, String problem) {
        assertThat(run(List.of(arguments.split(" ", -1)))).isEqualTo(2);

        assertThat(errors.toString()).contains(problem);
    }
}
