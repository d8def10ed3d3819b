package dev.resiliency.examples.bench.logs;

import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.server.LogServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A log server in a process of its own. Prints its port. */
final class LogServerProcess {
    private LogServerProcess() {}

    public static void main(String[] arguments) throws IOException {
        try (LogServer server = LogServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                LogRun.JOB,
                LogFiles.of(Path.of(arguments[0])),
                LogRun.SECRET,
                null,
                LogServerProcess::complain)) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // until its end
            }
        }
    }

    private static void complain(String line) {
        System.err.println(line);
    }
}
