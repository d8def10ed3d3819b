/** Training programs that are restarted in process, and the demo. */
module dev.resiliency.examples {
    requires static org.jspecify;
    requires dev.resiliency.core;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires org.slf4j;

    opens dev.resiliency.examples to
            info.picocli;
    opens dev.resiliency.examples.demo to
            info.picocli,
            com.fasterxml.jackson.databind;
}
