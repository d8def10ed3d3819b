package dev.resiliency.examples.job;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The one mapper; it is expensive to make and safe to share. */
public final class Json {
    /** Never reconfigured. */
    public static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}
}
