package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.config.file.Setting;
import dev.resiliency.launcher.config.file.SettingsException;
import dev.resiliency.launcher.config.file.SettingsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** A command line together with a file of settings. What stands on the command line wins. */
final class ConfiguredArguments {
    private ConfiguredArguments() {}

    /**
     * Parses the command line of a command again, with the settings of a file before it.
     *
     * @param command has parsed its command line
     * @throws ParameterException if the file cannot be used; names the line
     */
    static void parse(CommandLine command, Path file) {
        ParseResult given = command.getParseResult();
        List<String> arguments = new ArrayList<>();
        try {
            SettingsFile read = SettingsFile.read(file);
            Map<OptionSpec, Setting> settings = options(command.getCommandSpec(), read);
            settings.forEach((option, setting) -> {
                if (!given.hasMatchedOption(option)) {
                    arguments.add(option.names()[0] + "=" + setting.value());
                }
            });
            arguments.addAll(ownArguments(command));
            parse(command, arguments, settings, read);
        } catch (SettingsException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }

    private static Map<OptionSpec, Setting> options(CommandSpec command, SettingsFile file) throws SettingsException {
        Map<OptionSpec, Setting> options = new LinkedHashMap<>();
        for (Setting setting : file.settings()) {
            OptionSpec option = withValue(OptionNames.find(command, "--" + setting.name()));
            if (option == null && !file.isOfAnotherProgram(setting)) {
                throw file.unknown(
                        setting,
                        command.options().stream()
                                .filter(known -> !known.hidden() && withValue(known) != null)
                                .map(ConfiguredArguments::nameOf)
                                .toList());
            }
            Setting before = option == null ? null : options.putIfAbsent(option, setting);
            if (before != null) {
                throw file.invalid(setting, "%s in line %d means the same".formatted(before.name(), before.line()));
            }
        }
        return options;
    }

    private static @Nullable OptionSpec withValue(@Nullable OptionSpec option) {
        return option == null || option.arity().max() == 0 ? null : option;
    }

    /** Returns what follows the name of a command on the command line; only the whole program knows that. */
    private static List<String> ownArguments(CommandLine command) {
        List<String> all = command.getParent().getParseResult().originalArgs();
        return all.subList(all.indexOf(command.getCommandName()) + 1, all.size());
    }

    /** Returns the first name of an option, without dashes at its beginning. */
    private static String nameOf(OptionSpec option) {
        return option.names()[0].substring(2);
    }

    private static void parse(
            CommandLine command, List<String> arguments, Map<OptionSpec, Setting> settings, SettingsFile file)
            throws SettingsException {
        try {
            command.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            Setting setting = e.getArgSpec() instanceof OptionSpec option ? settings.get(option) : null;
            if (setting == null) {
                throw e;
            }
            throw file.invalid(setting, Objects.requireNonNullElse(e.getMessage(), "invalid"));
        }
    }
}
