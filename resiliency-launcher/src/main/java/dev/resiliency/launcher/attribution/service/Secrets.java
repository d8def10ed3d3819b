package dev.resiliency.launcher.attribution.service;

import java.util.regex.Pattern;

/** Hides what looks like a secret in a text that leaves this host. */
final class Secrets {
    private static final String HIDDEN = "[hidden]";
    private static final Pattern NAMED = Pattern.compile(
            "(?i)([\\w.-]*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|credential|authorization)[\\w.-]*[\"']?\\s*[=:]\\s*"
                    + "(?:bearer |basic )?)[\"']?[^\\s\"',;&]+");
    private static final Pattern WELL_KNOWN = Pattern.compile(
            "\\b(?:sk-|nvapi-|hf_|gh[pousr]_|xox[abprs]-|AKIA|ASIA|AIza)[A-Za-z0-9_-]{8,}|\\beyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+");
    private static final Pattern IN_ADDRESS = Pattern.compile("(://[^\\s/:@]+:)[^\\s/@]+@");
    private static final Pattern BEARER = Pattern.compile("(?i)(bearer )\\S+");
    private static final Pattern KEY = Pattern.compile(".*-----BEGIN [A-Z ]*PRIVATE KEY-----.*|[A-Za-z0-9+/=]{60,}");

    private Secrets() {}

    static String hide(String text) {
        if (KEY.matcher(text).matches()) {
            return HIDDEN;
        }
        String hidden = NAMED.matcher(text).replaceAll("$1" + HIDDEN);
        hidden = IN_ADDRESS.matcher(hidden).replaceAll("$1" + HIDDEN + "@");
        hidden = BEARER.matcher(hidden).replaceAll("$1" + HIDDEN);
        return WELL_KNOWN.matcher(hidden).replaceAll(HIDDEN);
    }
}
