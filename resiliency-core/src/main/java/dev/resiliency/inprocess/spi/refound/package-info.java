/**
 * How those that depend on a store found another one when its host is lost: ranks of a job whose rank 0 hosts it, or agents of one
 * that an agent hosts. {@code docs/model/refound.pml} and {@code docs/model/launched.pml} are models of it for the model checker Spin.
 */
@NullMarked
package dev.resiliency.inprocess.spi.refound;

import org.jspecify.annotations.NullMarked;
