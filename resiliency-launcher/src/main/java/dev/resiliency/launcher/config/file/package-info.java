/** Settings that stand in a file. */
@NullMarked
package dev.resiliency.launcher.config.file;

import org.jspecify.annotations.NullMarked;
