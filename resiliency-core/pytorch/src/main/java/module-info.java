/** Process groups of PyTorch that a restart can abort. */
module dev.resiliency.pytorch {
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
    requires org.bytedeco.javacpp;
    requires transitive org.bytedeco.pytorch;
    requires org.slf4j;

    exports dev.resiliency.pytorch;
}
