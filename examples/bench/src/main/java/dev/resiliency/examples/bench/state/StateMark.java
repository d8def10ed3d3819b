package dev.resiliency.examples.bench.state;

import dev.resiliency.state.RecoveryReport.Source;

/** What a rank of a measured job reports, one line each. Times are {@link System#nanoTime}, the same in all processes. */
sealed interface StateMark {

    /** The process is watched: a spare is there. */
    record Ready() implements StateMark {}

    /** The rank has the state of a step in an iteration, {@code took} nanoseconds after it asked for it. */
    record Recovered(int iteration, long step, Source source, long took, PhaseNanos phases) implements StateMark {}

    /** The rank has completed a step, in an iteration. */
    record Completed(int iteration, long step, long nanos) implements StateMark {}

    /** So many bytes took so many nanoseconds over one plain socket, at the side of the receiver. */
    record Plain(long bytes, long nanos) implements StateMark {}

    /** A commit takes so long, besides the update. */
    record Commit(double nanos) implements StateMark {}

    /** Returns, for example, {@code recovered 1 120 PEERS 2100000 600000 300000 1000000 200000}. */
    default String toLine() {
        if (this instanceof Ready) {
            return "ready";
        } else if (this instanceof Recovered mark) {
            return "recovered " + mark.iteration() + " " + mark.step() + " " + mark.source() + " " + mark.took() + " "
                    + mark.phases().toWords();
        } else if (this instanceof Completed mark) {
            return "completed " + mark.iteration() + " " + mark.step() + " " + mark.nanos();
        } else if (this instanceof Plain mark) {
            return "plain " + mark.bytes() + " " + mark.nanos();
        } else if (this instanceof Commit mark) {
            return "commit " + mark.nanos();
        }
        throw new AssertionError(this);
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException if it is not such a line
     */
    static StateMark parse(String line) {
        String[] words = line.split(" ", -1);
        try {
            return switch (words[0]) {
                case "ready" -> new Ready();
                case "recovered" ->
                    new Recovered(
                            Integer.parseInt(words[1]),
                            Long.parseLong(words[2]),
                            Source.valueOf(words[3]),
                            Long.parseLong(words[4]),
                            PhaseNanos.parse(words, 5));
                case "completed" ->
                    new Completed(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
                case "plain" -> new Plain(Long.parseLong(words[1]), Long.parseLong(words[2]));
                case "commit" -> new Commit(Double.parseDouble(words[1]));
                default -> throw new IllegalArgumentException("not a mark: " + line);
            };
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("not a mark: " + line, e);
        }
    }
}
