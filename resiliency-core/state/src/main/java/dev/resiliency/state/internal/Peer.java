package dev.resiliency.state.internal;

import dev.resiliency.store.spi.guard.Printable;

/**
 * Where a rank serves its state.
 *
 * @param rank its initial rank, for messages
 * @param host its address
 * @param port its TCP port
 * @param token a random text that only those learn who can read the job's store
 * @param fingerprint that of its {@link PeerCertificate}; empty if it does not encrypt
 */
record Peer(int rank, String host, int port, String token, String fingerprint) {
    String encode() {
        return rank + " " + host + " " + port + " " + token + " " + fingerprint;
    }

    static Peer decode(String text) {
        String[] fields = text.split(" ", -1);
        return new Peer(Integer.parseInt(fields[0]), fields[1], Integer.parseInt(fields[2]), fields[3], fields[4]);
    }

    @Override
    public String toString() {
        return Printable.of("rank " + rank + " at " + host + ":" + port);
    }
}
