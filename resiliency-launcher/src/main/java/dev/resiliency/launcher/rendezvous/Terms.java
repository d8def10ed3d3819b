package dev.resiliency.launcher.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What all nodes of a job must agree on.
 *
 * @param version of the agents' protocol
 * @param nodes how many nodes the job has: with fewer it does not begin, and more are spare nodes
 * @param processes how many ranks each node has
 * @param policy the name of the restart policy
 * @param segment how many nodes of one domain get ranks together: see {@link Segments}; 0 if each gets its own
 * @param refounds whether agents vote on the next store when the one that an agent hosts is lost
 */
public record Terms(int version, int nodes, int processes, String policy, int segment, boolean refounds) {
    /** The version of the protocol that this program speaks. */
    public static final int VERSION = 4;

    private static final Pattern TEXT = Pattern.compile("(\\d+) (\\d+) (\\d+) (\\S+) (\\d+) (true|false)");

    /** Creates the terms of this version. */
    public Terms(int nodes, int processes, String policy, int segment, boolean refounds) {
        this(VERSION, nodes, processes, policy, segment, refounds);
    }

    /** Returns the same terms for another number of nodes. */
    Terms with(int newNodes) {
        return new Terms(version, newNodes, processes, policy, segment, refounds);
    }

    /** Returns how many ranks found the job. */
    public int worldSize() {
        return nodes * processes;
    }

    String text() {
        return "%d %d %d %s %d %b".formatted(version, nodes, processes, policy, segment, refounds);
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @throws IllegalArgumentException if another version has written it
     */
    static Terms read(String text) {
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches() || Integer.parseInt(fields.group(1)) != VERSION) {
            throw new IllegalArgumentException("the agents speak another version of the protocol: '" + text + "'");
        }
        return new Terms(
                Integer.parseInt(fields.group(2)),
                Integer.parseInt(fields.group(3)),
                fields.group(4),
                Integer.parseInt(fields.group(5)),
                Boolean.parseBoolean(fields.group(6)));
    }

    /** Returns how these terms differ from those of the job, as {@link #text} has written them. */
    String differenceFrom(String job) {
        Matcher fields = TEXT.matcher(job);
        if (!fields.matches() || Integer.parseInt(fields.group(1)) != version) {
            return "its agents speak another version of the protocol ('%s'; this one: '%s'): use the same release on all nodes"
                    .formatted(job, text());
        }
        List<String> differences = new ArrayList<>();
        compare("--nproc-per-node is", fields.group(3), Integer.toString(processes), differences);
        compare("the minimum of --nnodes is", fields.group(2), Integer.toString(nodes), differences);
        compare("--restart-policy is", fields.group(4), policy, differences);
        compare("--segment is", fields.group(5), Integer.toString(segment), differences);
        boolean refoundsThere = Boolean.parseBoolean(fields.group(6));
        compare("--no-refound is", Boolean.toString(!refoundsThere), Boolean.toString(!refounds), differences);
        return String.join("; ", differences);
    }

    private static void compare(String what, String ofJob, String own, List<String> differences) {
        if (!ofJob.equals(own)) {
            differences.add("%s %s there, and %s on this node".formatted(what, ofJob, own));
        }
    }
}
