/** What a user touches: the wrapper, what it hands to the function that it wraps, and what it tells of restarts. */
@NullMarked
package dev.resiliency.inprocess;

import org.jspecify.annotations.NullMarked;
