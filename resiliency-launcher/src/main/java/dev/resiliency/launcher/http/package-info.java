/** What servers and clients over HTTP have in common: limits, and who may ask. */
@NullMarked
package dev.resiliency.launcher.http;

import org.jspecify.annotations.NullMarked;
