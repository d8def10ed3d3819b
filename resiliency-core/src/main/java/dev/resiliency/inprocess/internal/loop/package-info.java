/** The restart loop of one rank: its stages, and what passes between them. */
@NullMarked
package dev.resiliency.inprocess.internal.loop;

import org.jspecify.annotations.NullMarked;
