/** What must hold on a host before ranks start on it. Looks, and changes nothing. */
@NullMarked
package dev.resiliency.launcher.health;

import org.jspecify.annotations.NullMarked;
