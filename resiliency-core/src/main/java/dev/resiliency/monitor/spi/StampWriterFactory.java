package dev.resiliency.monitor.spi;

import dev.resiliency.monitor.RankMonitorClient;

/** Finds the client of this process: a service provider, so public with a public constructor. */
public final class StampWriterFactory implements RankMonitorClient.Factory {
    /** Called by the service loader. */
    public StampWriterFactory() {}

    @Override
    public RankMonitorClient ofThisProcess() {
        return StampWriter.ofThisProcess();
    }
}
