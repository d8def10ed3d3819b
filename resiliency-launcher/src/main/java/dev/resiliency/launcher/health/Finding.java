package dev.resiliency.launcher.health;

/**
 * What a check has found.
 *
 * @param subject what was checked: {@code host name}
 * @param text what was found, and what to do about it unless all is well; a clause without a full stop
 */
public record Finding(Severity severity, String subject, String text) {
    /** How bad it is. */
    public enum Severity {
        /** All is well. */
        OK,
        /** A job runs, but something will be slow, or will not be possible. */
        WARNING,
        /** A job cannot run. */
        FAILURE
    }

    static Finding ok(String subject, String text) {
        return new Finding(Severity.OK, subject, text);
    }

    static Finding warning(String subject, String text) {
        return new Finding(Severity.WARNING, subject, text);
    }

    static Finding failure(String subject, String text) {
        return new Finding(Severity.FAILURE, subject, text);
    }
}
