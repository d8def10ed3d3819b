package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.monitor.spi.StampFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The pipe to the agent that has started this process, and watches it in place of a child. */
final class AgentPipe implements MonitorPipe {
    /** An agent needs no time to start, but its host may have more to do than processors. */
    private static final int PERIODS = 2;

    private static final Logger LOG = SafeLog.of(AgentPipe.class);

    private final SocketStreams streams;
    private int periods;

    private AgentPipe(SocketStreams streams) {
        this.streams = streams;
    }

    /** Connects to the agent of this process; empty if there is none, or it watches no ranks. */
    static Optional<AgentPipe> ofThisProcess() {
        String stamps = System.getenv(StampFile.VARIABLE);
        return stamps == null ? Optional.empty() : of(Path.of(stamps, ".."));
    }

    /** Connects to the agent of the ranks of this directory. */
    static Optional<AgentPipe> of(Path directory) {
        try {
            Path socket = MonitorServer.socketOf(directory);
            return Files.exists(socket) ? connect(socket) : Optional.empty();
        } catch (IOException e) {
            LOG.debug("this rank looks for no agent: {}", e.toString());
            return Optional.empty();
        }
    }

    private static Optional<AgentPipe> connect(Path socket) {
        try {
            return Optional.of(new AgentPipe(SocketStreams.of(SocketChannel.open(UnixDomainSocketAddress.of(socket)))));
        } catch (IOException e) {
            LOG.info("the agent does not watch this rank ({}): a monitor process does", e.toString());
            return Optional.empty();
        }
    }

    @Override
    public InputStream input() {
        return streams.input();
    }

    @Override
    public OutputStream output() {
        return streams.output();
    }

    @Override
    public String name() {
        return "the agent of this node";
    }

    @Override
    public String ended() {
        return name() + " no longer watches this rank";
    }

    @Override
    public @Nullable String startFailure() {
        periods++;
        return periods < PERIODS
                ? null
                : "%s has not begun to watch this rank within %d s: is it stopped, or this host overloaded?"
                        .formatted(name(), periods * StartWatch.PERIOD.toSeconds());
    }

    @Override
    public void closeOutput() throws IOException {
        streams.closeOutput();
    }

    @Override
    public void kill() {
        streams.close();
    }

    @Override
    public void awaitEnd() {
        streams.close();
    }
}
