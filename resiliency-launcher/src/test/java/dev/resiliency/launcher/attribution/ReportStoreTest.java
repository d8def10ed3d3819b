package dev.resiliency.launcher.attribution;

import static dev.resiliency.launcher.attribution.Facts.ended;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.spi.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReportStoreTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final ReportStore reports = new ReportStore(store.newSession());

    @AfterEach
    void close() {
        store.close();
    }

    private List<Long> facts() {
        List<Long> numbers = new ArrayList<>();
        new ReportStore(store.newSession()).watch(fact -> numbers.add(fact.number()));
        return numbers;
    }

    @Test
    void latestThousandFactsAreKept() {
        for (long number : new long[] {1, 2, 1000}) {
            reports.write(ended(number, 1, 17, Evidence.NONE)).join();
        }
        assertThat(facts()).containsExactlyInAnyOrder(1L, 2L, 1000L);

        reports.write(ended(1001, 1, 17, Evidence.NONE)).join();

        assertThat(facts()).containsExactlyInAnyOrder(2L, 1000L, 1001L);
    }

    @Test
    void latestHundredReportsAreKeptInTheirOrder() throws Exception {
        assertThat(reports.reports()).isEmpty();
        CycleReport report = CycleReport.of(Incident.of(List.of(ended(1, 1, 17, Evidence.NONE))), 0, JobHistory.of(1));
        for (long number : new long[] {100, 2, 1}) {
            reports.replace(report.numbered(number));
        }
        assertThat(reports.reports()).extracting(CycleReport::number).containsExactly(1L, 2L, 100L);

        reports.replace(report.numbered(101));

        assertThat(reports.reports()).extracting(CycleReport::number).containsExactly(2L, 100L, 101L);
    }
}
