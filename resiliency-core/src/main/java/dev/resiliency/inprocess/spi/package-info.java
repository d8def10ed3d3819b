/** What a launcher needs to know of a job whose processes it starts. */
@NullMarked
package dev.resiliency.inprocess.spi;

import org.jspecify.annotations.NullMarked;
