package dev.resiliency.launcher.it;

import dev.resiliency.launcher.log.CycleLog;
import dev.resiliency.launcher.log.server.LogClient;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.IntFunction;

/** Sends a line to a log server, with the secret and TLS settings of its environment, and prints what is wrong with that. */
final class LogStrangerProgram {
    private LogStrangerProgram() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        IntFunction<Path> files = cycle -> directory.resolve("own_cycle" + cycle + ".log");
        try (LogClient client = new LogClient(
                        files,
                        InetSocketAddress.createUnresolved("127.0.0.1", Integer.parseInt(arguments[1])),
                        "stranger",
                        "logged",
                        Secret.fromEnvironment(),
                        Tls.fromEnvironment(),
                        LogStrangerProgram::say);
                CycleLog log = new CycleLog(files, LogStrangerProgram::say)) {
            log.addListener(client);
            log.enter(0, 1);
            log.add("a stranger's line");
            while (System.in.read() >= 0) {
                // until the test has seen enough
            }
        }
    }

    @SuppressWarnings("SystemOut") // read by the test
    private static void say(String line) {
        System.out.println(line);
    }
}
