package dev.resiliency.inprocess.rank;

/** How far a {@link Tree} looks for a rank that takes the place of a lost one. The guide's {@code LayerFlag}. */
public enum LayerFlag {
    /** In the groups of this layer a reserve may be sought that takes the place of a lost active rank. */
    RESERVE,
    /** In the groups of this layer the active rank with the highest number may move to the place of a lost one. */
    BACKFILL
}
