package dev.resiliency.spark;

/**
 * What happens to the rows of a rank whose executor is lost, until Spark has started another one in its place. With each of
 * these, the replacement reads them again, as Spark reads a lost partition.
 *
 * @since 0.1.0
 */
public enum LostRows {
    /**
     * The others go on at once, without these rows. They are back with the replacement, which costs a second restart; if the stage is
     * complete before it comes, they are not, and the stage has fewer results.
     */
    LEAVE_OUT,

    /**
     * The others wait for the replacement, with what they have in memory, and then all go on: every iteration has all rows.
     * If it does not come within {@link ResilientStage#replacementWait}, the stage fails.
     */
    WAIT
}
