package dev.resiliency.launcher.config.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * A YAML file of settings: options without their dashes, and what they are set to. It may have a section {@code
 * fault_tolerance}, as a file of nvidia-resiliency-ext has; whether a setting stands there or outside makes no difference.
 *
 * <pre>{@code
 * nnodes: 2:4
 * max-restarts: 10            # max_restarts would do, too
 * fault_tolerance:
 *   gpu_memory_reclaim_timeout: 50.0
 *   rank_section_timeouts: {setup: 600, step: 180}   # as on the command line: setup:600,step:180
 * }</pre>
 */
public final class SettingsFile {
    private static final String SECTION = "fault_tolerance";
    /** More mistakes than this in one name, and another name is no help. */
    private static final int MAX_DISTANCE = 4;

    private final Path file;
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    private SettingsFile(Path file) {
        this.file = file;
    }

    /**
     * Reads a file. A setting that is {@code null} counts as absent.
     *
     * @throws SettingsException if it cannot be read, is no YAML, or has a setting twice
     */
    public static SettingsFile read(Path file) throws SettingsException {
        SettingsFile read = new SettingsFile(file);
        try (BufferedReader reader = Files.newBufferedReader(file);
                YAMLParser parser = new YAMLFactory().createParser(reader)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                read.section(parser, true);
            } else if (first != null) {
                throw read.problem(parser, "write one setting in a line, as in 'max-restarts: 10'");
            }
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new SettingsException(
                    "%s, line %d: this is no YAML: %s".formatted(file, line, e.getOriginalMessage()));
        } catch (NoSuchFileException e) {
            throw new SettingsException("there is no file " + file);
        } catch (IOException e) {
            throw new SettingsException("%s cannot be read: %s".formatted(file, e.getMessage()));
        }
        return read;
    }

    private void section(YAMLParser parser, boolean isTop) throws IOException, SettingsException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            int line = parser.currentLocation().getLineNr();
            JsonToken value = parser.nextToken();
            if (isTop && key.equals(SECTION) && value == JsonToken.START_OBJECT) {
                section(parser, false);
            } else if (value != JsonToken.VALUE_NULL) {
                add(new Setting(key.replace('_', '-'), text(parser, key), line));
            }
        }
    }

    private void add(Setting setting) throws SettingsException {
        Setting before = settings.putIfAbsent(setting.name(), setting);
        if (before != null) {
            throw new SettingsException("%s, line %d: %s stands in line %d already"
                    .formatted(file, setting.line(), setting.name(), before.line()));
        }
    }

    /** Returns a value as on the command line: the elements of a list, or the pairs of a mapping, with commas between. */
    private String text(YAMLParser parser, String key) throws IOException, SettingsException {
        JsonToken token = parser.currentToken();
        if (token.isScalarValue()) {
            return parser.getText();
        }
        StringJoiner joined = new StringJoiner(",");
        JsonToken end = token == JsonToken.START_ARRAY ? JsonToken.END_ARRAY : JsonToken.END_OBJECT;
        for (JsonToken next = parser.nextToken(); next != end; next = parser.nextToken()) {
            String name = "";
            if (next == JsonToken.FIELD_NAME) {
                name = parser.currentName() + ":";
                next = parser.nextToken();
            }
            if (!next.isScalarValue()) {
                throw problem(parser, key + " contains lists or mappings: no setting has such a value");
            }
            joined.add(name + parser.getText());
        }
        return joined.toString();
    }

    private SettingsException problem(YAMLParser parser, String problem) {
        return new SettingsException(
                "%s, line %d: %s".formatted(file, parser.currentLocation().getLineNr(), problem));
    }

    /** Returns the setting of this name; empty if the file does not have it. */
    public Optional<Setting> find(String name) {
        return Optional.ofNullable(settings.get(name));
    }

    /**
     * Checks that all settings are known.
     *
     * @param known their names, with dashes between the words
     * @throws SettingsException if one is not; names the known one that is most like it
     */
    public void check(Collection<String> known) throws SettingsException {
        for (Setting setting : settings.values()) {
            if (!known.contains(setting.name())) {
                throw new SettingsException("%s, line %d: there is no setting '%s'%s"
                        .formatted(file, setting.line(), setting.name(), nearest(setting.name(), known)));
            }
        }
    }

    /**
     * Returns that a value is invalid.
     *
     * @param problem what is valid, as a sentence without a full stop
     */
    public SettingsException invalid(Setting setting, String problem) {
        return new SettingsException("%s, line %d: %s: %s".formatted(file, setting.line(), setting.name(), problem));
    }

    private static String nearest(String name, Collection<String> known) {
        String nearest = "";
        int least = MAX_DISTANCE + 1;
        for (String candidate : known) {
            int distance = distance(name, candidate);
            if (distance < least) {
                least = distance;
                nearest = ": do you mean '%s'?".formatted(candidate);
            }
        }
        return nearest;
    }

    /** Returns the Levenshtein distance: how many letters to insert, leave out or replace. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
