/** In-process restart: wraps a training function and calls it again when a rank of the job fails. */
@SuppressWarnings("requires-automatic") // JNA is no module of its own
module dev.resiliency.core {
    requires static com.sun.jna;
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.store;
    requires java.management;
    requires jdk.jfr;
    requires jdk.management;
    requires jdk.unsupported; // its signals, by reflection
    requires org.slf4j;

    exports dev.resiliency.inprocess;
    exports dev.resiliency.inprocess.rank;
    exports dev.resiliency.inprocess.spi;
    exports dev.resiliency.inprocess.spi.refound;
    exports dev.resiliency.inprocess.spi.socket;
    exports dev.resiliency.inprocess.spi.stack;
    exports dev.resiliency.monitor;
    exports dev.resiliency.monitor.spi;
}
