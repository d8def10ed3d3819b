/** The wire protocol of PyTorch's TCPStore. */
@NullMarked
package dev.resiliency.store.tcp.internal.pytorch;

import org.jspecify.annotations.NullMarked;
