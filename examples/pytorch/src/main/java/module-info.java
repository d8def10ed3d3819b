/** Trains with PyTorch, under the faults of the demo. */
module dev.resiliency.examples.pytorch {
    requires static org.jspecify;
    requires dev.resiliency.examples.digits;
    requires dev.resiliency.pytorch;
    requires org.bytedeco.javacpp;
    requires org.bytedeco.pytorch;

    provides dev.resiliency.examples.digits.MeasurableTraining with
            dev.resiliency.examples.pytorch.MeasurableTorchTraining;

    opens dev.resiliency.examples.pytorch to
            info.picocli;
}
