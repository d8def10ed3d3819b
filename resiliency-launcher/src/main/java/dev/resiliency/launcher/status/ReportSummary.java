package dev.resiliency.launcher.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads of a report what metrics need. */
final class ReportSummary {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String UNKNOWN = "UNKNOWN";

    private ReportSummary() {}

    /** Returns the cause that a report names; {@code UNKNOWN} if it names none. */
    static String causeOf(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                    JsonToken value = parser.nextToken();
                    if (field.equals("cause") && value == JsonToken.VALUE_STRING) {
                        return parser.getText();
                    }
                    parser.skipChildren();
                }
            }
        } catch (IOException invalid) {
            return UNKNOWN;
        }
        return UNKNOWN;
    }
}
