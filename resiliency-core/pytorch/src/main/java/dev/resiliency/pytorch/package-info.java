/**
 * Process groups of PyTorch that a restart can abort, for trainings that use libtorch through JavaCPP.
 *
 * <p>Start with {@link dev.resiliency.pytorch.ProcessGroups}: it creates a group from the call of an iteration.
 */
@NullMarked
package dev.resiliency.pytorch;

import org.jspecify.annotations.NullMarked;
