package dev.resiliency.examples.timeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.Script;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the commands of the usage guide, and the page in a browser. */
class TimelineIT {
    @TempDir
    private Path directory;

    @Tag("full")
    @Test
    void recordingsOfAJobBecomeATimelineOfItsRestart() throws Exception {
        record("--ranks=2", "--steps=600", "--fault=exception:1@200");
        assertThat(recordings()).as("the demo and two ranks, no monitors").hasSize(3);

        String text = draw();

        // Excludes the warm-up of each process. A part that takes less than a column is not drawn.
        assertThat(text)
                .containsPattern("(?m)^All of 1 restarts, ")
                .containsPattern("(?m)^Iteration 0 ended after EXCEPTION on .*")
                .containsPattern("(?m)^rank 0 .*leader +d*l+a*s*f*h*\\.*A*r* +[\\d.]+$")
                .containsPattern("(?m)^rank 1 .* d*l+a*s*f*h*\\.*A*r* +[\\d.]+$")
                .containsPattern("(?m)^ms: known to all [\\d.]+ .*, all in the function [\\d.]+ ");
        assertThat(Files.readString(page())).contains("<title>rank 1: re-entry ");
    }

    @Tag("full")
    @Test
    void timelineShowsTheWayOfAReplacementIntoTheJob() throws Exception {
        record("--ranks=2", "--replace", "--steps=600", "--fault=kill:1@200");
        assertThat(recordings())
                .as("the demo, rank 0 and the replacement; who is killed leaves none")
                .hasSize(3);

        String text = draw();

        assertThat(text)
                .containsPattern("(?m)^The recordings of this restart have 1 of 2 ranks: ")
                .containsPattern("(?m)^Iteration 1 ended after SCALE_UP by rank 0 \\(rank 2 waits\\), ")
                .containsPattern("(?m)^rank 0 .*leader +d*l+a*s*f*h*\\.*A*r* +[\\d.]+$")
                .containsPattern("(?m)^rank 2 .*joined +w*\\|r* +[\\d.]+$")
                .containsPattern("(?m)^from their start: ")
                .containsPattern("(?m)^rank 2 .*joined +S+w*\\|r* +[\\d.]+$");
        assertThat(Files.readString(page())).contains("<title>rank 2: start ");
    }

    @Tag("full")
    @Test
    void browserFindsEverySpanOfThePage() throws Exception {
        Chromium chromium = Chromium.orSkip(directory);
        RestartTimeline restart = SampleRestart.of(5);

        String dom = chromium.dom(page(restart));

        assertThat(count(
                        "<rect class=\"span [a-z-]+\" x=\"[\\d.]+\" y=\"\\d+\" width=\"[\\d.]+\" height=\"18\"><title>rank ",
                        dom))
                .isEqualTo(restart.ranks().stream()
                        .mapToLong(rank -> rank.spans().size())
                        .sum());
        assertThat(dom).contains("rank 4: stop 6.00 ms, from 6.00 to 12.0 ms", "median of all 5");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void browserDrawsEveryPartInItsColour(boolean isDark) throws Exception {
        Chromium chromium = Chromium.orSkip(directory);

        BufferedImage picture = chromium.screenshot(page(SampleRestart.of(500, 8)), isDark);

        assertThat(picture.getRGB(1, 1) & 0xFFFFFF).isEqualTo(colour("paper", isDark));
        for (Part part : Part.values()) {
            // The swatch of the legend alone has less than 196.
            assertThat(pixels(picture, colour(part.style(), isDark)))
                    .as(part.title())
                    .isGreaterThan(2000);
        }
    }

    /** Runs the demo, which leaves a recording of each process that ends by itself. */
    private void record(String... options) throws Exception {
        Path recordings = Files.createDirectory(recordingsDirectory());
        Script demo = new Script(Files.createDirectory(directory.resolve("demo")), "demo.sh")
                .with(
                        "JAVA_TOOL_OPTIONS",
                        "-XX:StartFlightRecording=filename=" + recordings + " -Xlog:jfr+startup=error");
        assertThat(demo.run(
                        Stream.concat(Stream.of("--plain"), Stream.of(options)).toArray(String[]::new)))
                .as(demo.output())
                .isZero();
    }

    /** Draws the timeline of the recordings to the page; returns what the terminal shows. */
    private String draw() throws Exception {
        Script timeline = new Script(directory, "bench.sh", "timeline", "--output=" + page());
        assertThat(timeline.run(recordings())).as(timeline.output()).isZero();
        return timeline.output();
    }

    private Path recordingsDirectory() {
        return directory.resolve("recordings");
    }

    private Path page() {
        return directory.resolve("page.html");
    }

    private Path page(RestartTimeline restart) throws IOException {
        Path page = page();
        HtmlReport.write(page, "made up", List.of(restart));
        return page;
    }

    private static long pixels(BufferedImage picture, int colour) {
        return IntStream.range(0, picture.getWidth() * picture.getHeight())
                .filter(i -> (picture.getRGB(i % picture.getWidth(), i / picture.getWidth()) & 0xFFFFFF) == colour)
                .count();
    }

    /** Returns a colour of the style sheet, which lists the light ones first. */
    private static int colour(String name, boolean isDark) throws IOException {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            Matcher definition =
                    Pattern.compile("--" + name + ": #([0-9a-f]{6})").matcher(new String(in.readAllBytes(), UTF_8));
            assertThat(definition.find()).isTrue();
            assertThat(!isDark || definition.find()).isTrue();
            return Integer.parseInt(definition.group(1), 16);
        }
    }

    private static long count(String regex, String text) {
        return Pattern.compile(regex).matcher(text).results().count();
    }

    private String[] recordings() throws IOException {
        try (Stream<Path> files = Files.list(recordingsDirectory())) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".jfr"))
                    .toArray(String[]::new);
        }
    }
}
