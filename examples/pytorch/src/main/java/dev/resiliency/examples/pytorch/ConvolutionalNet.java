package dev.resiliency.examples.pytorch;

import static org.bytedeco.pytorch.global.torch.max_pool2d;
import static org.bytedeco.pytorch.global.torch.relu;

import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.Conv2dOptions;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;

/** Two convolutions and a linear layer, for pictures of 8 by 8 pixels. */
final class ConvolutionalNet extends Module {
    private static final int FIRST = 16;
    private static final int SECOND = 32;
    private static final int LEFT = 2 * 2; // pixels: a convolution takes 2 of a side, the pooling every second

    private final Conv2dImpl first = register_module("first", convolution(1, FIRST));
    private final Conv2dImpl second = register_module("second", convolution(FIRST, SECOND));
    private final LinearImpl output = register_module("output", new LinearImpl(SECOND * LEFT, 10));

    private static Conv2dImpl convolution(int from, int to) {
        return new Conv2dImpl(new Conv2dOptions(from, to, new LongPointer(3, 3)));
    }

    /** Returns the scores of all classes, a row for each picture. */
    Tensor forward(Tensor pictures) {
        Tensor features = relu(second.forward(relu(first.forward(pictures))));
        return output.forward(max_pool2d(features, 2, 2).flatten(1, -1));
    }
}
