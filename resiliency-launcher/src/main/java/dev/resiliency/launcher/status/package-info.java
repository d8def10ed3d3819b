/**
 * What an operator sees of a job: the page and the metrics that an agent serves, and the table in the terminal. All of it is made from
 * what the agents write to the store; nothing here decides anything, and no thread of an agent waits for it.
 */
@NullMarked
package dev.resiliency.launcher.status;

import org.jspecify.annotations.NullMarked;
