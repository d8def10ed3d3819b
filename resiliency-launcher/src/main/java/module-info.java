/** Keeps training processes running: a supervisor, which starts a process again when it fails, and its command line. */
module dev.resiliency.launcher {
    requires static transitive org.jspecify;
    requires dev.resiliency.store;
    requires info.picocli;
    requires java.management;
    requires jdk.unsupported; // its signals, by reflection

    exports dev.resiliency.launcher;

    opens dev.resiliency.launcher.cli to
            info.picocli;
}
