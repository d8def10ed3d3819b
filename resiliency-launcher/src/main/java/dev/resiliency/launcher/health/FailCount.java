package dev.resiliency.launcher.health;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.OptionalLong;

/** Reads what a node health check prints: a JSON object with the field {@code fail_count}. */
final class FailCount {
    private static final String FIELD = "fail_count";
    private static final JsonFactory JSON = new JsonFactory();

    private FailCount() {}

    /** Returns the number of failed checks; empty if the text is no JSON object, or has no such number. */
    static OptionalLong read(String text) {
        OptionalLong count = OptionalLong.empty();
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return OptionalLong.empty();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean isCount = parser.currentName().equals(FIELD);
                if (parser.nextToken() == JsonToken.VALUE_NUMBER_INT && isCount) {
                    count = OptionalLong.of(parser.getLongValue());
                }
                parser.skipChildren();
            }
            return parser.nextToken() == null ? count : OptionalLong.empty();
        } catch (JsonProcessingException noJson) {
            return OptionalLong.empty();
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory cannot be read", e);
        }
    }
}
