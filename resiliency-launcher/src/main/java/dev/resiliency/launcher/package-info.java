/**
 * Starts a training process again when it fails: {@link dev.resiliency.launcher.Supervisor} any command, {@link
 * dev.resiliency.launcher.AutoRestart} the program that calls it.
 */
@NullMarked
package dev.resiliency.launcher;

import org.jspecify.annotations.NullMarked;
