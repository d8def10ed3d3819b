/**
 * How the survivors of a job found its store anew when its host is lost: what a voter remembers, who may go on from which
 * world, and how votes are given and counted. The package documentation of {@code protocol} has the rules, 18 to 24.
 */
@NullMarked
package dev.resiliency.inprocess.internal.refound;

import org.jspecify.annotations.NullMarked;
