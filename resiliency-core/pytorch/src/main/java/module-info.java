/** Process groups of PyTorch that a restart can abort. */
@SuppressWarnings("requires-automatic") // JNA is no module of its own
module dev.resiliency.pytorch {
    requires static com.sun.jna;
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
    requires org.bytedeco.javacpp;
    requires transitive org.bytedeco.pytorch;
    requires org.slf4j;

    exports dev.resiliency.pytorch;
}
