/** Training programs that are restarted in process, and the demo. */
module dev.resiliency.examples {
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
}
