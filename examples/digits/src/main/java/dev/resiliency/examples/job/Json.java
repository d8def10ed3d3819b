package dev.resiliency.examples.job;

import com.fasterxml.jackson.databind.ObjectMapper;

/** Holds the one mapper, which is expensive to create and safe to share. */
public final class Json {
    /** Never reconfigured. */
    public static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}
}
