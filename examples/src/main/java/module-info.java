/** Training programs that are restarted in process, the demo, and benchmarks. */
@SuppressWarnings("requires-automatic") // JMH is no module; benchmarks run on the class path
module dev.resiliency.examples {
    requires static org.jspecify;
    requires dev.resiliency.core;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires static jmh.core;
    requires org.slf4j;

    opens dev.resiliency.examples to
            info.picocli;
    opens dev.resiliency.examples.bench.restart to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.demo to
            info.picocli,
            com.fasterxml.jackson.databind;
}
