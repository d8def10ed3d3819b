/** A data-parallel training that is restarted in process, the demo that breaks it, and the processes of its ranks. */
module dev.resiliency.examples.digits {
    requires static org.jspecify;
    requires transitive dev.resiliency.core;
    requires transitive dev.resiliency.state;
    requires transitive dev.resiliency.testing;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires transitive com.fasterxml.jackson.databind;
    requires transitive info.picocli;
    requires org.slf4j;

    exports dev.resiliency.examples.demo;
    exports dev.resiliency.examples.digits;
    exports dev.resiliency.examples.fault;
    exports dev.resiliency.examples.job;

    opens dev.resiliency.examples.demo to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.fault to
            info.picocli,
            com.fasterxml.jackson.databind;
    opens dev.resiliency.examples.job to
            info.picocli;
}
