/** The command line {@code resiliency}. Parses, and calls what decides. */
@NullMarked
package dev.resiliency.launcher.cli;

import org.jspecify.annotations.NullMarked;
