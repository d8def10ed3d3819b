package dev.resiliency.inprocess.internal.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Vote;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * What a monitor process needs in order to vote for its rank when that has died.
 *
 * @param limit how long it may try
 */
record Ballot(Vote vote, List<StoreSeat> successors, Duration limit) {
    private static final int FIELDS = 3;

    /** Returns the line that {@link #read} reads. */
    String write() {
        String seats = Base64.getEncoder()
                .encodeToString(StoreSeat.writeAll(successors).getBytes(UTF_8));
        return limit.toMillis() + " " + seats + " " + vote.write();
    }

    static Ballot read(String line) {
        String[] fields = line.split(" ", FIELDS);
        return new Ballot(
                Vote.read(fields[2]),
                StoreSeat.readAll(new String(Base64.getDecoder().decode(fields[1]), UTF_8)),
                Duration.ofMillis(Long.parseLong(fields[0])));
    }
}
