/** Shows where the time of a restart goes, rank by rank: the model, a text chart, and a page with a picture. */
@NullMarked
package dev.resiliency.examples.timeline;

import org.jspecify.annotations.NullMarked;
