/** Where the time of a restart goes, rank by rank: the model, as text, and as a page with a picture. */
@NullMarked
package dev.resiliency.examples.timeline;

import org.jspecify.annotations.NullMarked;
