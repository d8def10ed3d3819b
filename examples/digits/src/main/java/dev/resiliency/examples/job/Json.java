package dev.resiliency.examples.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/** Holds the one mapper, which is expensive to create and safe to share. */
public final class Json {
    /** Never reconfigured. */
    public static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** Returns a record as one line. */
    public static String line(Object event) {
        try {
            return MAPPER.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + event, e); // records of numbers and strings: a bug
        }
    }

    /** Reads what {@link #line} has written; empty if it is something else. */
    public static <T> Optional<T> read(String line, Class<T> type) {
        try {
            return Optional.of(MAPPER.readValue(line, type));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
