/** Keeps training processes running: a supervisor of one process, the agent of a node, and their command line. */
@SuppressWarnings("requires-automatic") // gRPC, DDSketch and Micrometer have no modules
module dev.resiliency.launcher {
    requires static transitive org.jspecify;
    requires static com.google.protobuf;
    requires com.fasterxml.jackson.core;
    requires static com.fasterxml.jackson.dataformat.yaml;
    requires dev.resiliency.core;
    requires static dev.resiliency.launcher.rpc;
    requires dev.resiliency.store;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires static info.picocli;
    requires static io.grpc;
    requires static io.grpc.stub;
    requires static io.grpc.netty.shaded;
    requires java.logging; // gRPC's
    requires java.management;
    requires jdk.httpserver;
    requires static micrometer.core;
    requires static micrometer.registry.prometheus;
    requires jdk.unsupported; // its signals, by reflection
    requires sketches.java;

    exports dev.resiliency.launcher;

    opens dev.resiliency.launcher.attribution to
            com.fasterxml.jackson.databind;
    opens dev.resiliency.launcher.cli to
            info.picocli;
}
