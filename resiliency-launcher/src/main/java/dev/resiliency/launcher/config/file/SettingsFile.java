package dev.resiliency.launcher.config.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.resiliency.launcher.config.NearestNames;
import dev.resiliency.launcher.config.file.YamlNode.Alias;
import dev.resiliency.launcher.config.file.YamlNode.Entry;
import dev.resiliency.launcher.config.file.YamlNode.Mapping;
import dev.resiliency.launcher.config.file.YamlNode.Text;
import dev.resiliency.store.spi.guard.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A YAML file of settings: options without their dashes, and what they are set to. It may have a section {@code
 * fault_tolerance}, as a file of nvidia-resiliency-ext has; whether a setting stands there or outside makes no difference. If that
 * section stands below another one, the file is that of a training program, and only the section counts.
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

    private static final int LONGEST = 256 << 10;
    private static final int LONGEST_NAME = 100;

    private final Path file;
    private final Map<String, Setting> settings = new LinkedHashMap<>();
    /** Names beside the section that may be sections, too, of another program. */
    private final Set<String> perhapsSections = new HashSet<>();

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
        try (InputStream stream = Files.newInputStream(file);
                YAMLParser parser = new YAMLFactory().createParser(read.text(stream))) {
            if (parser.nextToken() != null) {
                int line = parser.currentLocation().getLineNr();
                if (!(YamlNode.read(parser) instanceof Mapping all)) {
                    throw read.problem(line, "write one setting in a line, as in 'max-restarts: 10'");
                }
                read.addAll(all);
            }
            if (parser.nextToken() != null) {
                throw read.problem(
                        parser.currentLocation().getLineNr(),
                        "a second document begins here: a file of settings is one");
            }
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw read.problem(line, "this is no YAML: " + e.getOriginalMessage());
        } catch (NoSuchFileException e) {
            throw new SettingsException("there is no file " + file);
        } catch (IOException e) {
            throw new SettingsException("%s cannot be read: %s".formatted(file, e.getMessage()));
        }
        return read;
    }

    private String text(InputStream stream) throws IOException, SettingsException {
        byte[] bytes = stream.readNBytes(LONGEST + 1);
        if (bytes.length > LONGEST) {
            throw new SettingsException(
                    "%s has more than %d KiB: no file of settings needs so many".formatted(file, LONGEST >> 10));
        }
        return new String(bytes, UTF_8);
    }

    private void addAll(Mapping all) throws SettingsException {
        boolean hasSection = all.entries().stream().anyMatch(SettingsFile::isSection);
        List<Entry> entries =
                hasSection ? all.entries() : all.find(SECTION).orElse(all).entries();
        for (Entry entry : entries) {
            if (isSection(entry)) {
                for (Entry inSection : ((Mapping) entry.value()).entries()) {
                    add(inSection);
                }
            } else if (!hasSection || !(entry.value() instanceof Mapping)) {
                add(entry);
            } else if (entry.value().words().isPresent()) {
                perhapsSections.add(add(entry).name());
            }
        }
    }

    private static boolean isSection(Entry entry) {
        return entry.name().equals(SECTION) && entry.value() instanceof Mapping;
    }

    private Setting add(Entry entry) throws SettingsException {
        if (entry.name().length() > LONGEST_NAME) {
            throw problem(entry.line(), "there is no setting '%s'".formatted(Printable.of(entry.name(), LONGEST_NAME)));
        }
        Alias alias = entry.value().alias().orElse(null);
        if (alias != null) {
            throw problem(
                    entry.line(),
                    "%s refers to '*%s': write the value itself"
                            .formatted(entry.name(), Printable.of(alias.name(), LONGEST_NAME)));
        }
        String value = entry.value()
                .words()
                .orElseThrow(() -> problem(
                        entry.line(), entry.name() + " contains lists or mappings: no setting has such a value"));
        Setting setting = new Setting(entry.name().replace('_', '-'), value, entry.line());
        boolean isAbsent = entry.value() instanceof Text text && text.text() == null;
        Setting before = isAbsent ? null : settings.putIfAbsent(setting.name(), setting);
        if (before != null) {
            throw problem(setting.line(), "%s stands in line %d already".formatted(setting.name(), before.line()));
        }
        return setting;
    }

    private SettingsException problem(int line, String problem) {
        return new SettingsException("%s, line %d: %s".formatted(file, line, problem));
    }

    /** Returns all settings, in their order. */
    public Collection<Setting> settings() {
        return settings.values();
    }

    /** Returns whether what looks like a setting is perhaps a section of a training program, beside that of this one. */
    public boolean isOfAnotherProgram(Setting setting) {
        return perhapsSections.contains(setting.name());
    }

    /**
     * Returns that a setting is not known.
     *
     * @param known names, with dashes between the words
     */
    public SettingsException unknown(Setting setting, Collection<String> known) {
        List<String> nearest = NearestNames.of(setting.name(), known);
        return problem(
                setting.line(),
                "there is no setting '%s'%s"
                        .formatted(
                                setting.name(),
                                nearest.isEmpty()
                                        ? ""
                                        : ": do you mean '%s'?".formatted(String.join("' or '", nearest))));
    }

    /**
     * Returns that a value is invalid.
     *
     * @param problem what is valid, as a sentence without a full stop
     */
    public SettingsException invalid(Setting setting, String problem) {
        return problem(setting.line(), "%s: %s".formatted(setting.name(), problem));
    }

    /** Returns the setting of this name; empty if the file does not have it. */
    Optional<Setting> find(String name) {
        return Optional.ofNullable(settings.get(name));
    }
}
