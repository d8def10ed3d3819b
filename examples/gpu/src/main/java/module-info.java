/** Trains on GPUs, and checks what the library promises for them. */
module dev.resiliency.examples.gpu {
    requires static org.jspecify;
    requires dev.resiliency.examples.digits;
    requires dev.resiliency.nccl;

    opens dev.resiliency.examples.gpu to
            info.picocli;
}
