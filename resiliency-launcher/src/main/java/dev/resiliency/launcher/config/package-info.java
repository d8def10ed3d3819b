/** How settings are written. */
@NullMarked
package dev.resiliency.launcher.config;

import org.jspecify.annotations.NullMarked;
