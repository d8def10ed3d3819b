/** Health checks for the hosts of GPU training. */
module dev.resiliency.nccl {
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;

    exports dev.resiliency.nccl.health;
}
