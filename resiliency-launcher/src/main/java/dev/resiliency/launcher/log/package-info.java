/** What a launcher prints: its own lines, and those of the processes that it starts. */
@NullMarked
package dev.resiliency.launcher.log;

import org.jspecify.annotations.NullMarked;
