/** Training programs that are restarted in process, the demo, and benchmarks. */
@SuppressWarnings("requires-automatic") // JMH and HdrHistogram are no modules; benchmarks run on the class path
module dev.resiliency.examples {
    requires static org.jspecify;
    requires dev.resiliency.core;
    requires dev.resiliency.nccl;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires HdrHistogram;
    requires info.picocli;
    requires java.management;
    requires jdk.jfr;
    requires static jmh.core;
    requires org.slf4j;

    opens dev.resiliency.examples to
            info.picocli;
    opens dev.resiliency.examples.bench to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.bench.chaos to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.bench.restart to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.bench.scale to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.bench.store to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.demo to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.fault to
            info.picocli;
    opens dev.resiliency.examples.gpu to
            info.picocli;
    opens dev.resiliency.examples.timeline to
            info.picocli;
}
