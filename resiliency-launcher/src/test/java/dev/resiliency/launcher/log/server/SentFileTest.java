package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a node goes on in its file, by what the server says that it has. */
class SentFileTest {
    @TempDir
    private Path directory;

    private static String next(SentFile file) throws IOException {
        return UTF_8.decode(file.next()).toString();
    }

    @Test
    void goesOnAfterWhatTheServerHas() throws Exception {
        Path path = Files.writeString(directory.resolve("log"), "one\ntwo\nthree\n");
        try (SentFile file = new SentFile(path, 0, 0)) {
            file.resumeAfter(0);
            assertThat(next(file)).isEqualTo("one\ntwo\nthree\n");

            file.losePosition();
            file.resumeAfter(2);

            assertThat(next(file)).isEqualTo("three\n");
            assertThat(file.hasOthers()).isFalse();
        }
    }

    @Test
    void linesOfAnotherUnderTheSameNameSkipNoneOfItsOwn() throws Exception {
        Path path = Files.writeString(directory.resolve("log"), "one\ntwo\nthree\n");
        try (SentFile file = new SentFile(path, 0, 0)) {
            file.resumeAfter(0);
            next(file);
            file.acknowledge();
            Files.writeString(path, "one\ntwo\nthree\nfour\n");
            file.losePosition();

            file.resumeAfter(1_000_000);

            assertThat(file.hasOthers()).isTrue();
            assertThat(file.nextNumber()).isEqualTo(4);
            assertThat(next(file)).isEqualTo("four\n");
        }
    }
}
