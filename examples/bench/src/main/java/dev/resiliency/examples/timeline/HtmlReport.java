package dev.resiliency.examples.timeline;

import static dev.resiliency.examples.timeline.Markup.escaped;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes restarts as one self-contained page, without scripts, other files or the network. For a large job it draws the
 * slowest ranks, and an overview of all.
 */
public final class HtmlReport {
    /** Maximum number of ranks that are drawn in detail. */
    static final int MOST_ROWS = 32;

    private static final int SLOWEST = 16;
    private static final int MOST_LINES = 400;

    private final StringBuilder page = new StringBuilder();

    private HtmlReport() {}

    /**
     * Writes the page.
     *
     * @param about place and time of the measurement
     */
    public static void write(Path file, String about, List<RestartTimeline> restarts) throws IOException {
        Files.writeString(file, page(about, restarts));
    }

    static String page(String about, List<RestartTimeline> restarts) throws IOException {
        return new HtmlReport().write(about, restarts);
    }

    private String write(String about, List<RestartTimeline> restarts) throws IOException {
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .append("<title>Where the time of a restart goes</title>\n<style>\n")
                .append(styleSheet())
                .append("</style>\n</head>\n<body>\n<header>\n<h1>Where the time of a restart goes</h1>\n");
        paragraph("about", about);
        legend();
        page.append("</header>\n<main>\n");
        restarts.forEach(this::section);
        page.append("</main>\n</body>\n</html>\n");
        return page.toString();
    }

    private static String styleSheet() throws IOException {
        try (InputStream in = Objects.requireNonNull(HtmlReport.class.getResourceAsStream("report.css"))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private void legend() {
        page.append("<ul class=\"legend\">\n");
        for (Part part : Part.values()) {
            page.append("<li title=\"%s\"><svg class=\"swatch\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">"
                            .formatted(escaped(part.meaning())))
                    .append("<rect class=\"span %s\" width=\"14\" height=\"14\"/></svg>%s</li>\n"
                            .formatted(part.style(), part.title()));
        }
        page.append("</ul>\n");
    }

    private void section(RestartTimeline restart) {
        page.append("<section>\n<h2>%s</h2>\n".formatted(escaped(restart.title())));
        milestones(restart);
        List<RankTimeline> rows = restart.ranks();
        if (rows.size() > MOST_ROWS) {
            List<RankTimeline> lines = evenly(rows, MOST_LINES);
            caption(
                    lines.size() == rows.size()
                            ? "All %d ranks, one line each, in order".formatted(rows.size())
                            : "%d of %d ranks, evenly spaced, one line each, in order"
                                    .formatted(lines.size(), rows.size()));
            figure(Picture.overview(restart, lines));
            rows = restart.slowest(SLOWEST);
            caption("The %d slowest ranks, not counting the time that they waited for others".formatted(rows.size()));
        }
        figure(Picture.detailed(restart, rows));
        joiners(restart);
        table(restart, rows);
        restart.notes().forEach(note -> paragraph("note", note));
        page.append("</section>\n");
    }

    private void joiners(RestartTimeline restart) {
        List<RankTimeline> joiners = restart.joiners();
        if (!joiners.isEmpty()) {
            List<RankTimeline> rows = joiners.stream().limit(SLOWEST).toList();
            caption("Joined: %s, from the start of the process, with a mark at the admission"
                    .formatted(
                            rows.size() == joiners.size()
                                    ? "ranks with their way into the job"
                                    : "the first %d of %d ranks".formatted(rows.size(), joiners.size())));
            figure(Picture.joiners(restart, rows));
        }
    }

    private void milestones(RestartTimeline restart) {
        page.append("<ol class=\"milestones\">\n");
        for (RestartTimeline.Milestone milestone : restart.milestones()) {
            page.append("<li><span>%s</span><b>%s <small>ms</small></b><span class=\"last\">rank %d last</span></li>\n"
                    .formatted(milestone.title(), Axis.millis(milestone.nanos()), milestone.lastRank()));
        }
        page.append("</ol>\n");
    }

    private void table(RestartTimeline restart, List<RankTimeline> rows) {
        List<Part> parts = Stream.of(Part.values())
                .filter(part -> restart.spread(part).isPresent())
                .toList();
        page.append("<div class=\"scroll\"><table>\n<thead><tr><th>ms</th>");
        parts.forEach(part -> page.append("<th>%s</th>".formatted(part.title())));
        page.append("<th>end</th></tr></thead>\n<tbody>\n");
        for (RankTimeline rank : rows) {
            List<String> cells = new ArrayList<>();
            parts.forEach(part -> cells.add(cell(rank.span(part).map(Span::length))));
            cells.add(Axis.millis(rank.end()));
            tableRow("rank " + rank.rank(), cells);
        }
        page.append("</tbody>\n<tfoot>\n");
        spread("median", restart, parts, RestartTimeline.Spread::median);
        spread("most", restart, parts, RestartTimeline.Spread::most);
        page.append("</tfoot>\n</table></div>\n");
    }

    private void spread(
            String name, RestartTimeline restart, List<Part> parts, ToLongFunction<RestartTimeline.Spread> value) {
        List<String> cells = new ArrayList<>();
        parts.forEach(part -> cells.add(cell(restart.spread(part).map(value::applyAsLong))));
        cells.add(name.equals("most") ? Axis.millis(restart.end()) : "");
        tableRow(name + " of all " + restart.ranks().size(), cells);
    }

    private void tableRow(String head, List<String> cells) {
        page.append("<tr><th>%s</th>".formatted(head));
        cells.forEach(cell -> page.append("<td>%s</td>".formatted(cell)));
        page.append("</tr>\n");
    }

    private static String cell(Optional<Long> nanos) {
        return nanos.map(Axis::millis).orElse("");
    }

    private void figure(String svg) {
        page.append("<div class=\"scroll\"><figure>\n").append(svg).append("</figure></div>\n");
    }

    private void caption(String text) {
        page.append("<h3>%s</h3>\n".formatted(escaped(text)));
    }

    private void paragraph(String style, String text) {
        page.append("<p class=\"%s\">%s</p>\n".formatted(style, escaped(text)));
    }

    private static List<RankTimeline> evenly(List<RankTimeline> ranks, int most) {
        int count = Math.min(most, ranks.size());
        return IntStream.range(0, count)
                .mapToObj(i -> ranks.get((int) ((long) i * ranks.size() / count)))
                .toList();
    }
}
