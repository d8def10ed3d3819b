/** What a wrapper was built with. */
@NullMarked
package dev.resiliency.inprocess.internal.settings;

import org.jspecify.annotations.NullMarked;
