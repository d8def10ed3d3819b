/**
 * A process of a rank: starting it in a process group of its own, signals to that group, why it ended, and making sure that
 * nothing of it outlives its supervisor. Decides nothing.
 */
@NullMarked
package dev.resiliency.launcher.process;

import org.jspecify.annotations.NullMarked;
