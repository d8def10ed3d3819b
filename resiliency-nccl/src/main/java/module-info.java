/** NCCL communicators that a restart can abort, and health checks for the hosts of GPU training. */
module dev.resiliency.nccl {
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
    requires transitive dev.resiliency.state;
    requires org.bytedeco.cuda;
    requires org.bytedeco.javacpp;
    requires org.slf4j;

    exports dev.resiliency.nccl;
}
