package dev.resiliency.examples.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

    @Test
    void pageNeedsNothingElse() throws IOException {
        assertThat(HtmlReport.page("here, today", List.of(SampleRestart.of(3))))
                .doesNotContain("<script", "http:", "https:", "src=", "href=", "url(", "@import")
                .contains("here, today");
    }

    @Test
    void textsCannotBecomeMarkup() throws IOException {
        assertThat(HtmlReport.page("a < b", List.of(SampleRestart.of(3))))
                .contains("<h2>EXCEPTION on rank 1 (loss is &lt;NaN&gt; &amp; &quot;lost&quot;)</h2>")
                .contains("a &lt; b", "Clocks are &gt; 1.")
                .doesNotContain("<NaN>");
    }

    @Test
    void everySpanShowsItsFigures() throws IOException {
        assertThat(HtmlReport.page("", List.of(SampleRestart.of(3))))
                .contains(
                        "<title>rank 2: stop 6.00 ms, from 6.00 to 12.0 ms (until the function's thread had ended)</title>")
                .contains(
                        "<tr><th>rank 2</th><td>2.00</td><td>3.00</td><td>1.00</td><td>6.00</td><td>1.00</td><td>1.00</td>"
                                + "<td>1.00</td><td>1.00</td><td>4.00</td><td>3.00</td><td>23.0</td></tr>")
                .contains("<tr><th>median of all 3</th>");
    }

    @Test
    void ranksThatJoinHaveAPictureOfTheirOwn() throws IOException {
        String page = HtmlReport.page("", List.of(SampleRestart.of(3, 2)));

        assertThat(page)
                .contains("<h3>Joined: ranks with their way into the job, from the start of the process")
                .contains(
                        "<title>rank 4: start 500.0 ms, from -1490.0 to -990.0 ms (until the process announced itself)")
                .contains("<tr><th>rank 4</th><td>500.0</td><td>1010.0</td><td></td>");
        assertThat(page.split("<title>admitted at 20.0 ms</title>", -1)).hasSize(1 + 2 + 2);
        assertThat(HtmlReport.page("", List.of(SampleRestart.of(3, 100)))).contains("the first 16 of 100 ranks, from");
    }

    @Test
    void largeJobShowsTheSlowestRanksAndAnOverviewOfAll() throws IOException {
        String page = HtmlReport.page("", List.of(SampleRestart.of(16_384)));

        assertThat(page)
                .hasSizeLessThan(1 << 20)
                .contains("400 of 16384 ranks, evenly spaced", "The 16 slowest ranks", ">rank 16383</text>")
                .contains("<tr><th>median of all 16384</th>");
        assertThat(page.split("<g class=\"row\">", -1)).hasSize(1 + 400 + 16);
    }
}
