/** The settings that a wrapper was built with. */
@NullMarked
package dev.resiliency.inprocess.internal.settings;

import org.jspecify.annotations.NullMarked;
