package dev.resiliency.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class RefusalTest {
    private final SparkConf conf = new SparkConf(false);

    @Test
    void settingsThatWouldBreakAStageAreNamed() {
        assertThat(Refusal.of("4.1.0", conf, false)).isEmpty();
        assertThat(Refusal.of("4.1.0", conf, true)).get().asString().contains("barrier stage");
        assertThat(Refusal.of("4.1.0", conf.clone().set("spark.speculation", "true"), false))
                .get()
                .asString()
                .startsWith("spark.speculation is true");
        assertThat(Refusal.of("4.1.0", conf.clone().set("spark.dynamicAllocation.enabled", "true"), false))
                .get()
                .asString()
                .startsWith("spark.dynamicAllocation.enabled is true");
    }

    @Test
    void sparkThatIsTooOldIsNamed() {
        assertThat(Refusal.of("3.5.7", conf, false))
                .contains("this is Spark 3.5.7, and resiliency-spark needs Spark 4.1 or newer");
        assertThat(Refusal.of("4.0.1", conf, false)).isPresent();
        assertThat(Refusal.of("4.10.0", conf, false)).isEmpty();
        assertThat(Refusal.of("40.0.0", conf, false)).isEmpty();
    }

    @Test
    void warningSaysHowOftenARankMayBeLost() {
        assertThat(Refusal.warning(conf, false, 16)).isEmpty();
        conf.set("spark.task.maxFailures", "2");
        assertThat(Refusal.warning(conf, false, 16))
                .contains(
                        "spark.task.maxFailures is 2: Spark fails the stage when it has lost the same rank that often");
        assertThat(Refusal.warning(conf, false, 1)).isEmpty();
        assertThat(Refusal.warning(conf, true, 16)).isEmpty();
    }
}
