package dev.resiliency.examples.bench.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.measure.ChildProcess;
import dev.resiliency.launcher.log.CycleLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.RankOutput;
import dev.resiliency.launcher.log.server.LogClient;
import dev.resiliency.store.tcp.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All nodes of a job in this process, and the log server in another one. */
final class LogRun {
    static final String JOB = "bench";
    static final Secret SECRET = Secret.of("not secret, but long enough for one".getBytes(UTF_8));

    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final WritableByteChannel NOWHERE = Channels.newChannel(OutputStream.nullOutputStream());

    private final int nodes;
    private final int ranks;
    private final int rate;
    private final Duration length;
    private final LogFiles merged;
    private final LogFiles own;
    private final Path prefix;

    LogRun(int nodes, int ranks, int rate, Duration length, Path directory) {
        this.nodes = nodes;
        this.ranks = ranks;
        this.rate = rate;
        this.length = length;
        prefix = directory.resolve("merged");
        merged = LogFiles.of(prefix);
        own = LogFiles.of(directory.resolve("own"));
    }

    LogRow measure() throws IOException, InterruptedException {
        try (ChildProcess server = ChildProcess.startJava(
                System.getProperty("java.class.path"),
                List.of("-Xmx256m", "-XX:+UseSerialGC", LogServerProcess.class.getName(), prefix.toString()))) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(server.firstLine()));
            List<Node> all = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                all.add(new Node(node, address));
            }
            awaitSize(name(0).length(), System.nanoTime()); // its classes are loaded
            long cpu = processorNanos();
            long serverCpu = server.cpuMillis();
            long begin = System.nanoTime();
            all.forEach(node -> node.write(begin));
            for (Node node : all) {
                node.awaitRanks();
            }
            long written = System.nanoTime();
            all.forEach(Node::closeFiles);
            long ownBytes = awaitMerged(written);
            long end = System.nanoTime();
            all.forEach(node -> node.client.close());
            return row(server, serverCpu, cpu, written - begin, end - written, ownBytes);
        }
    }

    /** Waits until the merged file is as long as it will be: each line has its node and number in addition. */
    private long awaitMerged(long since) throws IOException, InterruptedException {
        long expected = 0;
        for (int node = 0; node < nodes; node++) {
            Path file = own.ofNode(0, name(node));
            try (BufferedReader reader = Files.newBufferedReader(file)) {
                long number = 0;
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    number++;
                    expected += line.getBytes(UTF_8).length
                            + 1
                            + name(node).length()
                            + 2
                            + Long.toString(number).length();
                }
            }
        }
        return awaitSize(expected, since);
    }

    private long awaitSize(long expected, long since) throws IOException, InterruptedException {
        Path file = merged.ofCycle(0);
        long size = 0;
        while (size < expected && System.nanoTime() - since < LIMIT.toNanos()) {
            Thread.sleep(LOOK.toMillis());
            size = Files.exists(file) ? Files.size(file) : 0;
        }
        return size;
    }

    private LogRow row(ChildProcess server, long serverCpu, long cpu, long writing, long lag, long bytes)
            throws IOException {
        Map<String, Long> next = new HashMap<>();
        long dropped = 0;
        long disorder = 0;
        try (BufferedReader reader = Files.newBufferedReader(merged.ofCycle(0))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                int begin = line.indexOf("[rank ");
                if (begin < 0) {
                    continue; // a node's own
                }
                String[] words = line.substring(begin).split(" ", 5);
                if (words[2].equals("line")) {
                    long number = Long.parseLong(words[3]);
                    Long before = next.put(words[1], number);
                    disorder += before != null && number <= before ? 1 : 0;
                } else {
                    dropped += Long.parseLong(words[3]);
                }
            }
        }
        long lines = (long) nodes * ranks * (rate * length.toMillis() / 1000);
        long there = count(merged.ofCycle(0), "] line ");
        return new LogRow(
                nodes,
                ranks,
                rate,
                lines,
                bytes,
                dropped,
                Math.abs(lines - dropped - there) + disorder,
                writing,
                lag,
                server.cpuMillis() - serverCpu,
                (processorNanos() - cpu) / 1_000_000,
                server.peakBytes());
    }

    private static long count(Path file, String text) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return reader.lines().filter(line -> line.contains(text)).count();
        }
    }

    private static String name(int node) {
        return "node" + node;
    }

    private static long processorNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    /** A node, as an agent has it, with simulated ranks. */
    private final class Node {
        private final int number;
        private final CycleLog log;
        private final RankOutput output;
        final LogClient client;

        Node(int number, InetSocketAddress server) throws IOException {
            this.number = number;
            log = new CycleLog(cycle -> own.ofNode(cycle, name(number)), System.err::println);
            client = new LogClient(
                    cycle -> own.ofNode(cycle, name(number)),
                    server,
                    name(number),
                    JOB,
                    SECRET,
                    null,
                    System.err::println);
            log.addListener(client);
            log.enter(0, 1);
            log.add("a node begins");
            output = new RankOutput(NOWHERE, NOWHERE, true, log, System.err::println);
        }

        void write(long begin) {
            for (int rank = 0; rank < ranks; rank++) {
                output.of("rank " + (number * ranks + rank), "")
                        .read(new PacedStream(begin, rate, length), InputStream.nullInputStream());
            }
        }

        void awaitRanks() throws InterruptedException {
            for (int rank = 0; rank < ranks; rank++) {
                output.tail("rank " + (number * ranks + rank)).orElseThrow().awaitEnd(LIMIT);
            }
        }

        void closeFiles() {
            output.close();
            log.close();
        }
    }
}
