/** Tests jobs that restart in process: injects faults, fakes calls, starts ranks as processes. */
@SuppressWarnings("requires-automatic") // JNA is no module of its own
module dev.resiliency.testing {
    requires static com.sun.jna;
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
    requires org.slf4j;

    exports dev.resiliency.testing;
}
