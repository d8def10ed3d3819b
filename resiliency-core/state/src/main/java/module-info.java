/** State of a training that survives a restart in the memory of its ranks. */
module dev.resiliency.state {
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
    requires org.slf4j;

    exports dev.resiliency.state;
}
