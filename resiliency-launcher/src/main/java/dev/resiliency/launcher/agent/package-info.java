/**
 * The agent of a node: decides in {@code Agent}, which is stepped and never waits, and acts in {@code NodeEffects}; observers see each
 * step. Only {@link dev.resiliency.launcher.Launcher} starts one.
 */
@NullMarked
package dev.resiliency.launcher.agent;

import org.jspecify.annotations.NullMarked;
