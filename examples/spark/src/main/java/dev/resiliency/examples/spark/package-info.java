/** Trees on handwritten digits, boosted by XGBoost4J in a stage of Spark that loses an executor. */
@NullMarked
package dev.resiliency.examples.spark;

import org.jspecify.annotations.NullMarked;
