/**
 * The file between a rank and the agent that watches it. {@link dev.resiliency.monitor.spi.StampFile} describes the format; the
 * agent creates and reads it, {@link dev.resiliency.monitor.spi.StampWriter} writes it in the rank.
 */
@NullMarked
package dev.resiliency.monitor.spi;

import org.jspecify.annotations.NullMarked;
