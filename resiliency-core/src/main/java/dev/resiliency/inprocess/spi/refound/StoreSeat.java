package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Where a rank would host the store, if its host is lost: its server listens there. */
public record StoreSeat(int rank, String host, int port) {
    /** How many successors a decision names. */
    private static final int SUCCESSORS = 4;

    private static final int FIELDS = 3;

    /** Returns the text that {@link #read} reads. */
    public String write() {
        return rank + " " + port + " " + host;
    }

    private static StoreSeat read(String line) {
        String[] fields = line.split(" ", FIELDS);
        return new StoreSeat(Integer.parseInt(fields[0]), fields[2], Integer.parseInt(fields[1]));
    }

    /** Returns the text of these seats, a line each. */
    public static String writeAll(List<StoreSeat> seats) {
        return seats.stream().map(StoreSeat::write).collect(Collectors.joining("\n"));
    }

    /** Reads seats, a line each. */
    public static List<StoreSeat> readAll(String text) {
        return text.lines().filter(line -> !line.isBlank()).map(StoreSeat::read).toList();
    }

    /**
     * Returns the successors that a decision names, in order: the lowest on other hosts, then those on the same
     * one.
     *
     * @param seats of living voters, in the order of their ranks, as {@link #write} writes them; empty for one that has none
     * @param living those that may succeed
     * @param host where the store is now
     */
    public static List<StoreSeat> successors(Map<Integer, String> seats, IndexSet living, String host) {
        List<StoreSeat> elsewhere = new ArrayList<>();
        List<StoreSeat> here = new ArrayList<>();
        seats.forEach((rank, text) -> {
            if (living.contains(rank) && !text.isEmpty()) {
                StoreSeat seat = read(text);
                (seat.host().equals(host) ? here : elsewhere).add(seat);
            }
        });
        elsewhere.addAll(here);
        return List.copyOf(elsewhere.subList(0, Math.min(SUCCESSORS, elsewhere.size())));
    }
}
