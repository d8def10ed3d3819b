/** The store of a job of several processes: its server and its clients, over TCP. */
@NullMarked
package dev.resiliency.store.tcp;

import org.jspecify.annotations.NullMarked;
