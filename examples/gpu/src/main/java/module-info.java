/** The training on GPUs, and what the library promises for them, tried. */
module dev.resiliency.examples.gpu {
    requires static org.jspecify;
    requires dev.resiliency.examples.digits;
    requires dev.resiliency.nccl;

    opens dev.resiliency.examples.gpu to
            info.picocli;
}
