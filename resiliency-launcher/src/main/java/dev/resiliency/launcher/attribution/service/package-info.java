/**
 * The service that says of the log of a cycle why it has ended, and what to do: for the launcher that runs it, and for others that
 * speak the protocol of nvidia-resiliency-ext's. {@link dev.resiliency.launcher.attribution.service.LogReading} reads the end of a
 * log, {@link dev.resiliency.launcher.attribution.service.LogRules} judge it, a language model may say more, and an address may
 * receive each verdict. Runs in a process of its own.
 */
@NullMarked
package dev.resiliency.launcher.attribution.service;

import org.jspecify.annotations.NullMarked;
