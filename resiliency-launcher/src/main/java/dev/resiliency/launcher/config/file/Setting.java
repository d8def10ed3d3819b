package dev.resiliency.launcher.config.file;

/**
 * A setting of a file.
 *
 * @param name without dashes at its beginning, and with dashes between its words: {@code max-restarts}
 * @param value as it would stand on the command line
 * @param line where it stands, from 1
 */
public record Setting(String name, String value, int line) {}
