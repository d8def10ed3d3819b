package dev.resiliency.launcher.config.file;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A value in a YAML file, with the lines in which names stand. */
sealed interface YamlNode {
    /** A word, a number or a sentence; null for {@code null}. */
    record Text(@Nullable String text) implements YamlNode {}

    /** A reference to a value elsewhere in the file, by its name. */
    record Alias(String name) implements YamlNode {}

    /** A list. */
    record Sequence(List<YamlNode> elements) implements YamlNode {}

    /** Names and their values, in their order; a name may stand twice. */
    record Mapping(List<Entry> entries) implements YamlNode {
        /** Returns the first mapping of this name, here or further down. */
        Optional<Mapping> find(String name) {
            return entries.stream()
                    .flatMap(entry -> entry.value() instanceof Mapping found
                                    && entry.name().equals(name)
                            ? Stream.of(found)
                            : entry.value().mappings().flatMap(below -> below.find(name).stream()))
                    .findFirst();
        }
    }

    /** A name, the line in which it stands, and its value. */
    record Entry(String name, int line, YamlNode value) {}

    /** Reads the value at which a parser is. */
    static YamlNode read(YAMLParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            List<Entry> entries = new ArrayList<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                int line = parser.currentLocation().getLineNr();
                parser.nextToken();
                entries.add(new Entry(name, line, read(parser)));
            }
            return new Mapping(entries);
        }
        if (token == JsonToken.START_ARRAY) {
            List<YamlNode> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(read(parser));
            }
            return new Sequence(elements);
        }
        if (parser.isCurrentAlias()) {
            return new Alias(parser.getText());
        }
        return new Text(token == JsonToken.VALUE_NULL ? null : parser.getText());
    }

    /** Returns the mappings that this is, or that it has as a list. */
    private Stream<Mapping> mappings() {
        if (this instanceof Mapping mapping) {
            return Stream.of(mapping);
        }
        return this instanceof Sequence sequence
                ? sequence.elements().stream().flatMap(YamlNode::mappings)
                : Stream.empty();
    }

    /** Returns the first reference in it. */
    default Optional<Alias> alias() {
        if (this instanceof Alias alias) {
            return Optional.of(alias);
        }
        Stream<YamlNode> parts = this instanceof Mapping mapping
                ? mapping.entries().stream().map(Entry::value)
                : this instanceof Sequence sequence ? sequence.elements().stream() : Stream.empty();
        return parts.flatMap(part -> part.alias().stream()).findFirst();
    }

    /** Returns it as on the command line: the elements of a list, or the pairs of a mapping, with commas between; empty if deeper. */
    default Optional<String> words() {
        if (this instanceof Text text) {
            return Optional.of(String.valueOf(text.text()));
        }
        List<String> words = new ArrayList<>();
        if (this instanceof Mapping mapping) {
            for (Entry entry : mapping.entries()) {
                if (!(entry.value() instanceof Text text)) {
                    return Optional.empty();
                }
                words.add(entry.name() + ":" + text.text());
            }
        } else if (this instanceof Sequence sequence) {
            for (YamlNode element : sequence.elements()) {
                if (!(element instanceof Text text)) {
                    return Optional.empty();
                }
                words.add(String.valueOf(text.text()));
            }
        }
        return Optional.of(String.join(",", words));
    }
}
