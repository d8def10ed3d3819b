package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/resiliency} without a locale, as in a container or under systemd, and names that are not ASCII. */
class LocaleIT {
    private static final String WITHOUT_LOCALE = "unset LC_ALL LC_CTYPE LANG\n";
    /** Writes what has arrived: its argument, its directory and its locale. */
    private static final String SETUP = """
            mkdir größe && cd größe
            printf '#!/bin/sh\\nprintf "%%s\\\\n" "$1" "${PWD##*/}" "${LC_ALL-none}" > ../arrived\\n' > wörter.sh
            chmod +x wörter.sh
            """;

    @TempDir
    private Path directory;

    /** Runs a script that is written in an encoding; returns what it and the agent print. */
    private String run(String script, Charset encoding) throws Exception {
        String resiliency = Path.of("bin/resiliency").toAbsolutePath().toString();
        Path file = Files.write(
                directory.resolve("script"),
                (WITHOUT_LOCALE + script.replace("resiliency run", "'" + resiliency + "' run --run-dir ../run"))
                        .getBytes(encoding));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder("bash", file.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return Files.readString(output, ISO_8859_1);
    }

    @Test
    void argumentsProgramAndDirectoryArriveAsTheyWere() throws Exception {
        String output = run(SETUP + "resiliency run -- ./wörter.sh größe→模型; echo rc $?", UTF_8);

        assertThat(output).endsWith("rc 0\n");
        assertThat(Files.readString(directory.resolve("arrived"), UTF_8))
                .as(output)
                .isEqualTo("größe→模型\ngröße\nnone\n");
    }

    @Tag("full")
    @Test
    void bytesThatAreNotUtf8AreRefusedByName() throws Exception {
        String output = run("mkdir here && cd here; resiliency run -- echo 'gr\u00f6\u00dfe'; echo rc $?", ISO_8859_1);

        assertThat(output).endsWith("rc 126\n").contains("argument 1 (").contains("has bytes that are not UTF-8");
    }

    @Tag("full")
    @Test
    void supervisorPassesThemOnAsWell() throws Exception {
        String output = run(
                SETUP
                        + "'%s' supervise --run-dir ../run -- ./wörter.sh größe→模型; echo rc $?"
                                .formatted(Path.of("bin/resiliency").toAbsolutePath()),
                UTF_8);

        assertThat(output).endsWith("rc 0\n");
        assertThat(Files.readString(directory.resolve("arrived"), UTF_8))
                .as(output)
                .isEqualTo("größe→模型\ngröße\nnone\n");
    }
}
