package dev.resiliency.inprocess.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A job of real processes on this host. */
final class ProcessJob implements AutoCloseable {
    private final List<RankProcess> ranks = new ArrayList<>();
    private final int port;

    /**
     * Starts all ranks.
     *
     * @param directory where their logs go, and the temporary files that they might leave behind
     * @param options further options of their JVMs
     */
    ProcessJob(int worldSize, Path directory, String... options) throws IOException {
        this.port = freePort();
        for (int rank = 0; rank < worldSize; rank++) {
            List<String> javaOptions = new ArrayList<>(List.of(options));
            Path temporary = Files.createDirectories(directory.resolve("tmp-" + rank));
            javaOptions.add("-Djava.io.tmpdir=" + temporary);
            ranks.add(new RankProcess(
                    rank,
                    Map.of(
                            "RANK", Integer.toString(rank),
                            "WORLD_SIZE", Integer.toString(worldSize),
                            "LOCAL_RANK", Integer.toString(rank),
                            "MASTER_ADDR", "127.0.0.1",
                            "MASTER_PORT", Integer.toString(port)),
                    javaOptions,
                    directory.resolve("rank-" + rank + ".log")));
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Where rank 0 hosts the store. */
    int port() {
        return port;
    }

    RankProcess rank(int rank) {
        return ranks.get(rank);
    }

    List<RankProcess> ranks() {
        return ranks;
    }

    /** All ranks but one. */
    List<RankProcess> others(int rank) {
        return ranks.stream().filter(each -> each.rank() != rank).toList();
    }

    @Override
    public void close() {
        ranks.forEach(RankProcess::close);
    }
}
