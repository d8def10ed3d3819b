@NullMarked
package dev.resiliency.launcher.attribution;

import org.jspecify.annotations.NullMarked;
