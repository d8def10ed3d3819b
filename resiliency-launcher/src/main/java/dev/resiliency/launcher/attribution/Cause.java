package dev.resiliency.launcher.attribution;

/** Why a job was interrupted. */
enum Cause {
    /** The kernel has killed a process, as memory ran out. */
    OUT_OF_MEMORY_KILLED,
    /** The heap of a JVM was too small. */
    OUT_OF_HEAP,
    /** Native code has crashed. */
    SEGFAULT,
    /** A rank has not gone on. */
    HANG_IN,
    /** A node is gone, with all its processes. */
    HOST_LOST,
    /** The job cannot begin, or go on, with the nodes that are there. */
    NODES_MISSING,
    /** The driver of a GPU has reported an error. */
    GPU_XID,
    /** The program has thrown. */
    USER_EXCEPTION,
    /** Nodes that live cannot reach the store. */
    NETWORK_PARTITION,
    /** The store is gone. */
    STORE_LOST,
    /** The job cannot run as it was started. */
    CONFIGURATION,
    /** A signal has ended a process that had not crashed. */
    KILLED,
    /** A process has exited by itself, and has not said why. */
    EXITED,
    /** The facts do not say. */
    UNKNOWN
}
