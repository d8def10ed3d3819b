/** Tests of the TCP store's pytorch. */
@NullMarked
package dev.resiliency.store.tcp.internal.pytorch;

import org.jspecify.annotations.NullMarked;
