package dev.resiliency.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The settings in docs/launcher-settings.md are each option of each command, with its default, and no other one. */
class DocumentedSettingsTest {
    private static final Path DOCUMENT = Path.of("../docs/launcher-settings.md");
    /** A heading, with the commands whose options follow. */
    private static final Pattern COMMANDS = Pattern.compile("`([a-z ]+)`");

    private static final Pattern ROW = Pattern.compile("- `(--[a-z-]+)(?: ([^`]+))?`(?: \\((.+?)\\))?: .+");
    /** A default that the code must have, too; all else is a sentence on where the value comes from. */
    private static final Predicate<String> LITERAL = Pattern.compile(
                    "\\d+|\\d+[a-z]+(:\\d+[a-z]+)?|true|false|[\\d.]+(:\\d+)?|SIG[A-Z]+")
            .asMatchPredicate();

    /**
     * An option, in the document or of the program.
     *
     * @param label of its value; empty if it has none
     */
    private record Setting(String name, String label, String value) {}

    @Test
    void documentHasTheOptionsOfAllCommandsAndTheirDefaults() throws IOException {
        assertThat(differences(Files.readAllLines(DOCUMENT))).isEmpty();
    }

    @Test
    void eachDifferenceIsFound() throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);

        assertThat(differences(replaced(lines, "- `--lease TIME` (`10s`)", "- `--lease TIME` (`9s`)")))
                .hasSize(1);
        assertThat(differences(replaced(lines, "- `--lease TIME`", "- `--leash TIME`")))
                .hasSize(2);
        assertThat(differences(replaced(lines, "- `--lease TIME`", "- `--lease N`")))
                .hasSize(1);
        assertThat(differences(replaced(lines, "- `--standalone`:", "- `--standalone` (true):")))
                .hasSize(1);
        assertThat(differences(replaced(lines, "(`run`, `doctor`)", "(`run`)"))).hasSize(9);
        assertThatThrownBy(() -> differences(replaced(lines, "- `--lease TIME` ", "- --lease TIME ")))
                .hasMessageContaining("--lease TIME");
    }

    private static List<String> replaced(List<String> lines, String text, String replacement) {
        assertThat(lines).anyMatch(line -> line.contains(text));
        return lines.stream().map(line -> line.replace(text, replacement)).toList();
    }

    private static List<String> differences(List<String> document) {
        Map<String, Setting> rows = rows(document);
        List<String> differences = new ArrayList<>();
        options().forEach((key, option) -> {
            Setting row = rows.remove(key);
            if (row == null) {
                differences.add("no row for " + key + ": " + option);
            } else if (!row.label().equals(option.label()) || !agree(row.value(), option.value())) {
                differences.add(key + " is " + option + ", and not " + row);
            }
        });
        rows.forEach((key, row) -> differences.add("no option for " + key + ": " + row));
        return differences;
    }

    private static boolean agree(String row, String option) {
        String value = row.replace("`", "");
        return option.isEmpty() ? !LITERAL.test(value) : value.equals(option);
    }

    private static Map<String, Setting> rows(List<String> document) {
        Map<String, Setting> rows = new TreeMap<>();
        List<String> commands = List.of();
        for (String line : document) {
            if (line.startsWith("## ")) {
                commands = COMMANDS.matcher(line)
                        .results()
                        .map(command -> command.group(1))
                        .toList();
            } else if (line.startsWith("- ") && !commands.isEmpty()) {
                Matcher row = ROW.matcher(line);
                assertThat(row.matches()).as(line).isTrue();
                Setting setting = new Setting(row.group(1), text(row.group(2)), text(row.group(3)));
                for (String command : commands) {
                    assertThat(rows.put(command + " " + setting.name(), setting))
                            .as(line)
                            .isNull();
                }
            }
        }
        return rows;
    }

    private static String text(@Nullable String group) {
        return group == null ? "" : group;
    }

    private static Map<String, Setting> options() {
        Map<String, Setting> options = new TreeMap<>();
        collect(ResiliencyCommand.commandLine(), "", options);
        return options;
    }

    private static void collect(CommandLine program, String prefix, Map<String, Setting> options) {
        program.getSubcommands().forEach((name, command) -> {
            command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
                    .map(DocumentedSettingsTest::setting)
                    .forEach(setting -> options.put(prefix + name + " " + setting.name(), setting));
            collect(command, prefix + name + " ", options);
        });
    }

    private static Setting setting(OptionSpec option) {
        String name = List.of(option.names()).stream()
                .filter(each -> each.startsWith("--"))
                .findFirst()
                .orElseThrow();
        String label = option.arity().min() > 0 ? option.paramLabel() : "";
        return new Setting(name, label, Objects.requireNonNullElse(option.defaultValue(), ""));
    }
}
