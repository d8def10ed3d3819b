package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers without the secret at all ports of an agent that may open few files, while a rank is killed. */
@Tag("full")
class StrangersAtPortsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int FILES = 400;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(US_ASCII);

    @TempDir
    private Path directory;

    private final int[] ports = new int[3];

    private Process startAgent() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        for (int i = 0; i < ports.length; i++) {
            ports[i] = ProcessJob.freePort();
        }
        ProcessBuilder agent = new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -n " + FILES + "; exec \"$@\"",
                "agent",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                ResiliencyCommand.class.getName(),
                "run",
                "--run-dir",
                directory.resolve("run").toString(),
                "--rdzv-endpoint",
                "127.0.0.1:" + ports[0],
                "--per-cycle-applog-prefix",
                directory.resolve("logs/train").toString(),
                "--enable-log-server",
                "--log-server-port",
                Integer.toString(ports[1]),
                "--status-port",
                Integer.toString(ports[2]),
                "--nproc-per-node",
                "2",
                "--backoff",
                "0:1s",
                "--",
                "sh",
                "-c",
                "echo up; exec sleep 1000");
        agent.environment().put("RESILIENCY_STORE_SECRET_FILE", secret.toString());
        Path log = directory.resolve("agent.log");
        return agent.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("agent.log"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Long> processesOf(int rank) {
        return Pattern.compile("process (\\d+) runs rank " + rank + "\\b")
                .matcher(log())
                .results()
                .map((MatchResult match) -> Long.parseLong(match.group(1)))
                .toList();
    }

    /** Holds more connections to each port than the agent may have files open, and opens others when they are closed. */
    private void hold(AtomicBoolean isOver) {
        Deque<SocketChannel> held = new ArrayDeque<>();
        try {
            while (!isOver.get()) {
                for (int port : ports) {
                    SocketChannel channel = SocketChannel.open();
                    channel.configureBlocking(false);
                    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    held.add(channel);
                    sayIfConnected(channel);
                }
                while (held.size() > ports.length * 2 * FILES) {
                    held.remove().close();
                }
                TimeUnit.MILLISECONDS.sleep(2);
            }
            for (SocketChannel each : held) {
                each.close();
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the stranger failed", e);
        }
    }

    private static void sayIfConnected(SocketChannel channel) {
        try {
            if (channel.finishConnect()) {
                channel.write(ByteBuffer.wrap(PREFACE));
            }
        } catch (IOException refused) {
            // as it should be
        }
    }

    @Test
    void strangersKeepNoRankFromComingBackNorTheAgentFromEnding() throws Exception {
        Process agent = startAgent();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread strangers = new Thread(() -> hold(isOver), "strangers");
        try {
            await().atMost(LIMIT).until(() -> !processesOf(1).isEmpty());
            strangers.start();
            await().atMost(LIMIT).until(() -> log().contains("the log server has closed the connection of"));

            for (int round = 1; round <= 3; round++) {
                int before = processesOf(1).size();
                long rank = processesOf(1).get(before - 1);
                ProcessHandle.of(rank).ifPresent(ProcessHandle::destroyForcibly);
                await().atMost(LIMIT).until(() -> processesOf(1).size() > before || !agent.isAlive());
                assertThat(agent.isAlive()).as(log()).isTrue();
            }
            agent.toHandle().destroy();

            assertThat(agent.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as(log())
                    .isTrue();
            assertThat(agent.exitValue()).as(log()).isNotEqualTo(126);
            assertThat(log()).doesNotContain("Too many open files");
        } finally {
            isOver.set(true);
            strangers.join(LIMIT.toMillis());
            agent.descendants().forEach(ProcessHandle::destroyForcibly);
            agent.destroyForcibly();
        }
    }
}
