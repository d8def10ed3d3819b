/** What ranks share: every key, and the rules by which they agree. */
@NullMarked
package dev.resiliency.inprocess.internal.protocol;

import org.jspecify.annotations.NullMarked;
