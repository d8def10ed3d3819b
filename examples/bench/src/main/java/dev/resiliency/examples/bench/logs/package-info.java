/** Measures the log server: simulated ranks write lines, and real nodes keep them and send them to a server in another process. */
@NullMarked
package dev.resiliency.examples.bench.logs;

import org.jspecify.annotations.NullMarked;
