package dev.resiliency.spark;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file in which executors write what they do, line by line, for the test that has started them. */
record Journal(String file) implements Serializable {
    void write(String line) throws IOException {
        Files.writeString(Path.of(file), line + "\n", CREATE, APPEND);
    }

    List<MatchResult> find(String pattern) {
        try {
            String text = Files.exists(Path.of(file)) ? Files.readString(Path.of(file)) : "";
            Matcher matcher = Pattern.compile("(?m)^" + pattern + "$").matcher(text);
            return matcher.results().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for a line, and returns what its first group matches. */
    String awaitLine(String pattern) {
        await().alias(pattern)
                .atMost(Duration.ofMinutes(2))
                .until(() -> !find(pattern).isEmpty());
        return find(pattern).get(0).group(1);
    }
}
