package dev.resiliency.nccl.health;

import dev.resiliency.inprocess.Environment;

/** Which device a check looks at. */
final class Devices {
    private Devices() {}

    /** The one whose number is {@code LOCAL_RANK}; 0 if there is no such variable. */
    static int ofLocalRank() {
        return Environment.fromVariables().localRank();
    }
}
