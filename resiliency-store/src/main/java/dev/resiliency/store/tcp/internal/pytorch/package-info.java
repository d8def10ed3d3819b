/** The wire protocol of PyTorch's TCPStore, for its clients and its servers. */
@NullMarked
package dev.resiliency.store.tcp.internal.pytorch;

import org.jspecify.annotations.NullMarked;
