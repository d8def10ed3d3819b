/** Keeps training processes running: a supervisor of one process, the agent of a node, and their command line. */
module dev.resiliency.launcher {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires dev.resiliency.core;
    requires dev.resiliency.store;
    requires info.picocli;
    requires java.management;
    requires jdk.unsupported; // its signals, by reflection

    exports dev.resiliency.launcher;

    opens dev.resiliency.launcher.cli to
            info.picocli;
}
