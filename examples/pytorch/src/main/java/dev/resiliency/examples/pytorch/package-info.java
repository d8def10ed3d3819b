/** A convolutional network on handwritten digits, trained by PyTorch on several ranks, written to be restarted in process. */
@NullMarked
package dev.resiliency.examples.pytorch;

import org.jspecify.annotations.NullMarked;
