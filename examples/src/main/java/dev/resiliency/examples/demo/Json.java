package dev.resiliency.examples.demo;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The one mapper; it is expensive to make and safe to share. */
final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}
}
