package dev.resiliency.launcher.config.file;

/** Thrown if a file of settings cannot be used; the message names the file, the line, and what to do. */
public final class SettingsException extends Exception {
    private static final long serialVersionUID = 1L;

    SettingsException(String message) {
        super(message);
    }
}
