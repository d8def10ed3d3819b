package dev.resiliency.examples.bench.agents;

import dev.resiliency.examples.job.JobProcess;
import dev.resiliency.examples.job.RankLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** All agents of a job, in a few processes, since each connection needs a descriptor. Confined to one thread but for the queue. */
final class AgentFleet implements AutoCloseable {
    private static final int MOST_PER_PROCESS = 5_000;

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final List<String> OPTIONS =
            List.of("-Xmx2g", "-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=disabled");

    private final List<JobProcess> swarms = new ArrayList<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>(); // written by the threads that read them

    /**
     * The end of a command, on all agents that it concerns.
     *
     * @param nanos {@link System#nanoTime} on the last of them
     * @param messages that all of them have sent and received meanwhile
     */
    record Done(long nanos, long messages) {}

    /** Starts all processes, and waits until all agents are connected. */
    AgentFleet(int nodes, int port, Path directory) throws IOException, InterruptedException {
        for (int first = 0; first < nodes; first += MOST_PER_PROCESS) {
            int count = Math.min(MOST_PER_PROCESS, nodes - first);
            RankLaunch launch = RankLaunch.of(swarms.size(), 1, port, directory).withJvmOptions(OPTIONS);
            List<String> program = List.of(AgentSwarm.class.getName(), "" + port, "" + nodes, "" + first, "" + count);
            JobProcess swarm = JobProcess.start(launch, program);
            swarms.add(swarm);
            swarm.follow(answers::add, exitCode -> answers.add("failed exit code " + exitCode));
        }
        await("connected", swarms.size());
    }

    int processes() {
        return swarms.size();
    }

    /** Sends all processes a command, to which each is ready at once. */
    void prepare(String command) throws InterruptedException {
        swarms.forEach(swarm -> swarm.tell(command));
        await("ready", swarms.size());
    }

    /** Sends all processes a command. */
    void tellAll(String command) {
        swarms.forEach(swarm -> swarm.tell(command));
    }

    /** Sends the process of the first agent a command. */
    void tellFirst(String command) {
        swarms.get(0).tell(command);
    }

    /** Sends the process of the last agent a command. */
    void tellLast(String command) {
        swarms.get(swarms.size() - 1).tell(command);
    }

    /** Waits until this many processes have done what they were asked for. */
    Done awaitDone(int count) throws InterruptedException {
        long last = Long.MIN_VALUE;
        long messages = 0;
        for (String[] answer : await("done", count)) {
            last = Math.max(last, Long.parseLong(answer[1]));
            messages += Long.parseLong(answer[2]);
        }
        return new Done(last, messages);
    }

    /** Returns how many messages all agents have sent and received since they began what they were last asked for. */
    long messages() throws InterruptedException {
        tellAll("count-messages");
        return await("messages", swarms.size()).stream()
                .mapToLong(answer -> Long.parseLong(answer[1]))
                .sum();
    }

    /** Waits until the agent with the lowest number reports that a node is gone; returns when it has. */
    long awaitGone() throws InterruptedException {
        return Long.parseLong(await("gone", 1).get(0)[1]);
    }

    private final List<String> others = new ArrayList<>(); // answers that nobody has awaited yet

    private List<String[]> await(String what, int count) throws InterruptedException {
        List<String[]> found = new ArrayList<>();
        for (String other : List.copyOf(others)) {
            if (found.size() < count && other.startsWith(what + " ")) {
                others.remove(other);
                found.add(other.split(" ", -1));
            }
        }
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (found.size() < count) {
            String answer = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (answer == null) {
                throw new IllegalStateException("not within %d s: %s of all agents".formatted(LIMIT.toSeconds(), what));
            }
            if (answer.startsWith("failed ")) {
                throw new IllegalStateException("an agent cannot go on: " + answer.substring("failed ".length()));
            }
            if (answer.equals(what) || answer.startsWith(what + " ")) {
                found.add(answer.split(" ", -1));
            } else {
                others.add(answer);
            }
        }
        return found;
    }

    @Override
    public void close() {
        swarms.forEach(swarm -> swarm.end(true));
        swarms.forEach(JobProcess::awaitEnd);
    }
}
