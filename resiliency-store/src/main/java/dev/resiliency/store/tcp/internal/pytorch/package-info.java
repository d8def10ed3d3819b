/** The wire of PyTorch's TCPStore, for its clients and for its servers. */
@NullMarked
package dev.resiliency.store.tcp.internal.pytorch;

import org.jspecify.annotations.NullMarked;
