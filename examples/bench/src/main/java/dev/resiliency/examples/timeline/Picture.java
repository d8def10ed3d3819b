package dev.resiliency.examples.timeline;

import static dev.resiliency.examples.timeline.Markup.escaped;
import static dev.resiliency.examples.timeline.Markup.number;
import static java.util.stream.Collectors.joining;

import java.util.List;

/** Draws ranks as rows over a time axis, in SVG; the style sheet defines the colour of each part. */
final class Picture {
    private static final int WIDTH = 1120;
    private static final int LEFT = 150;
    private static final int RIGHT = 70;
    private static final int TOP = 30;
    private static final int TICKS = 10;
    private static final double LEAST_TO_LABEL = 40;

    /** Height of a row and of its bar, and whether there is room for labels. */
    private enum Size {
        LARGE(28, 18, true),
        SMALL(3, 3, false);

        private final int row;
        private final int bar;
        private final boolean hasText;

        Size(int row, int bar, boolean hasText) {
            this.row = row;
            this.bar = bar;
            this.hasText = hasText;
        }
    }

    private final Axis axis;
    private final Size size;
    private final StringBuilder svg = new StringBuilder();

    private Picture(Axis axis, Size size) {
        this.axis = axis;
        this.size = size;
    }

    /** Draws these ranks of a restart, each with name, figures and total. */
    static String detailed(RestartTimeline restart, List<RankTimeline> rows) {
        return new Picture(Axis.of(restart), Size.LARGE).draw(rows, "timeline of " + rows.size() + " ranks");
    }

    /** Draws the way of these joiners into the job, from the start of their processes. */
    static String joiners(RestartTimeline restart, List<RankTimeline> rows) {
        return new Picture(Axis.ofJoiners(restart), Size.LARGE)
                .draw(rows, "way of " + rows.size() + " ranks into the job");
    }

    /** Draws many ranks, one thin line each. */
    static String overview(RestartTimeline restart, List<RankTimeline> rows) {
        return new Picture(Axis.of(restart), Size.SMALL).draw(rows, "overview of " + rows.size() + " ranks");
    }

    private String draw(List<RankTimeline> rows, String label) {
        int bottom = TOP + rows.size() * size.row;
        svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n"
                .formatted(WIDTH, bottom + size.row / 2, escaped(label)));
        drawAxis(bottom);
        for (int i = 0; i < rows.size(); i++) {
            drawRank(rows.get(i), TOP + i * size.row);
        }
        drawFault(bottom);
        return svg.append("</svg>\n").toString();
    }

    private void drawAxis(int bottom) {
        axis.ticks(TICKS).forEach(tick -> {
            String x = number(x(tick));
            svg.append(
                    "<line class=\"grid\" x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\"/>".formatted(x, TOP - 6, x, bottom));
            svg.append("<text class=\"tick\" x=\"%s\" y=\"%d\">%s</text>\n".formatted(x, TOP - 12, Axis.label(tick)));
        });
        svg.append("<text class=\"unit\" x=\"%d\" y=\"%d\">ms</text>\n".formatted(WIDTH - RIGHT + 10, TOP - 12));
    }

    /** Marks the time of the fault, if something precedes it. */
    private void drawFault(int bottom) {
        if (axis.start() < 0) {
            String x = number(x(0));
            svg.append("<line class=\"fault\" x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\"/>\n"
                    .formatted(x, TOP - 6, x, bottom));
        }
    }

    private void drawRank(RankTimeline rank, int top) {
        svg.append("<g class=\"row\">\n");
        int middle = top + size.row / 2;
        if (size.hasText) {
            String roles = rank.roles().stream()
                    .map(role -> " <tspan class=\"role %s\">%s</tspan>".formatted(escaped(role), escaped(role)))
                    .collect(joining());
            svg.append("<text class=\"rank\" x=\"%d\" y=\"%d\">rank %d%s</text>\n"
                    .formatted(LEFT - 12, middle, rank.rank(), roles));
            svg.append("<text class=\"total\" x=\"%s\" y=\"%d\">%s</text>\n"
                    .formatted(number(x(rank.end()) + 8), middle, Axis.millis(rank.end())));
        }
        rank.spans().forEach(span -> drawSpan(rank, span, top));
        rank.admission().ifPresent(moment -> drawAdmission(moment, top));
        svg.append("</g>\n");
    }

    private void drawAdmission(long moment, int top) {
        String x = number(x(moment));
        svg.append("<line class=\"admission\" x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\">"
                .formatted(x, top, x, top + size.row));
        svg.append("<title>admitted at %s ms</title></line>\n".formatted(Axis.millis(moment)));
    }

    private void drawSpan(RankTimeline rank, Span span, int top) {
        double x = x(span.start());
        double width = x(span.end()) - x;
        svg.append("<rect class=\"span %s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\">"
                .formatted(
                        span.part().style(),
                        number(x),
                        top + (size.row - size.bar) / 2,
                        number(Math.max(width, 0.01)),
                        size.bar));
        svg.append("<title>rank %d: %s %s ms, from %s to %s ms (%s)</title></rect>\n"
                .formatted(
                        rank.rank(),
                        span.part().title(),
                        Axis.millis(span.length()),
                        Axis.millis(span.start()),
                        Axis.millis(span.end()),
                        escaped(span.part().meaning())));
        if (size.hasText && width >= LEAST_TO_LABEL) {
            svg.append("<text class=\"figure on-%s\" x=\"%s\" y=\"%d\">%s</text>\n"
                    .formatted(
                            span.part().isWaiting() ? "pale" : "strong",
                            number(x + width / 2),
                            top + size.row / 2,
                            Axis.millis(span.length())));
        }
    }

    private double x(long nanos) {
        return LEFT + axis.share(nanos) * (WIDTH - LEFT - RIGHT);
    }
}
