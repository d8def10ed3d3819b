package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.rendezvous.JobBudget.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JobBudgetTest {
    @Test
    void restartsAreCountedUntilNoneIsLeft() {
        JobBudget budget = new JobBudget(2, null);

        Grant first = budget.grant("", 1000, "0.0");
        Grant second = budget.grant(first.spent(), 2000, "1.0");

        assertThat(first).isEqualTo(new Grant(1, "1000:0.0"));
        assertThat(second).isEqualTo(new Grant(2, "1000:0.0 2000:1.0"));
        assertThat(budget.grant(second.spent(), 3_000_000, "0.1").number()).isZero();
    }

    @Test
    void restartsBeforeTheWindowDoNotCountAndAreForgotten() {
        JobBudget budget = new JobBudget(2, Duration.ofSeconds(10));

        assertThat(budget.grant("1000:0.0 5000:0.1", 11_000, "0.2")).isEqualTo(new Grant(2, "5000:0.1 11000:0.2"));
        assertThat(budget.grant("1000:0.0 5000:0.1", 10_999, "0.2").number()).isZero();
    }

    @Test
    void budgetOfNoneGrantsNone() {
        assertThat(new JobBudget(0, null).grant("", 1, "0.0").number()).isZero();
    }

    @Test
    void requestsOfTheSameMillisecondDiffer() {
        JobBudget budget = new JobBudget(2, null);

        assertThat(budget.grant("", 1000, "0.0").spent())
                .isNotEqualTo(budget.grant("", 1000, "1.0").spent());
    }
}
