package dev.resiliency.monitor;

import java.util.ServiceLoader;

/** Finds the implementation, which this package does not import. */
final class Implementation {
    static final RankMonitorClient CLIENT = ServiceLoader.load(
                    RankMonitorClient.Factory.class, RankMonitorClient.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no implementation of "
                    + RankMonitorClient.Factory.class.getName()
                    + " is found: a jar that repackages resiliency-core must keep its META-INF/services"))
            .ofThisProcess();

    private Implementation() {}
}
