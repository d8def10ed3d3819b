/** The restart loop and what it runs on: worker, abort chain, watchdog. */
@NullMarked
package dev.resiliency.inprocess.internal;

import org.jspecify.annotations.NullMarked;
