package dev.resiliency.examples.timeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.resiliency.testing.Patience;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** A headless browser. */
final class Chromium {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final String SIZE = "--window-size=1280,2400";

    private final String program;
    private final Path directory;

    private Chromium(String program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    /** Returns the browser of this machine, which may write to this directory; skips the test if there is none. */
    static Chromium orSkip(Path directory) {
        List<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .flatMap(path -> NAMES.stream().map(name -> Path.of(path, name)))
                .filter(Files::isExecutable)
                .toList();
        assumeTrue(!found.isEmpty(), "NOT CHECKED: there is no Chromium (Debian: apt-get install chromium)");
        return new Chromium(found.get(0).toString(), directory);
    }

    /** Returns the document as the browser parsed it. */
    String dom(Path page) throws IOException, InterruptedException {
        return run("--dump-dom", page.toUri().toString());
    }

    BufferedImage screenshot(Path page, boolean isDark) throws IOException, InterruptedException {
        Path file = directory.resolve(isDark ? "dark.png" : "light.png");
        run(
                "--screenshot=" + file,
                "--blink-settings=preferredColorScheme=" + (isDark ? 0 : 1),
                page.toUri().toString());
        return Objects.requireNonNull(ImageIO.read(file.toFile()));
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("browser-output");
        List<String> command = new ArrayList<>(List.of(
                program,
                "--headless",
                "--no-sandbox", // required when root runs this
                "--disable-gpu",
                "--hide-scrollbars",
                "--user-data-dir=" + directory.resolve("browser"),
                SIZE));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(directory.resolve("browser-log").toFile());
        builder.environment().put("TMPDIR", directory.toString()); // it is killed, and leaves files there
        Process process = builder.start();
        try {
            assertThat(process.waitFor(Patience.stretch(Duration.ofMinutes(1)).toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isZero();
            return Files.readString(output, UTF_8);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
