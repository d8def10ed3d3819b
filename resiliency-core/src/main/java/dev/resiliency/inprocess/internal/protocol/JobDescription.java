package dev.resiliency.inprocess.internal.protocol;

/** What all ranks of a job must have in common, as a short text: {@code protocol ranks}. */
final class JobDescription {
    /** The version of the restart protocol. It changes whenever ranks of two versions could not run in one job. */
    static final int PROTOCOL = 4;

    private JobDescription() {}

    static String of(int worldSize) {
        return PROTOCOL + " " + worldSize;
    }

    /** Returns how the job with this description differs from one of this process, and what to do. */
    static String difference(String there, int worldSize) {
        if (!there.matches("\\d{1,9} \\d{1,9}")) {
            return "its description is unreadable; does something else write to its store?";
        }
        String[] fields = there.split(" ", 2);
        return Integer.parseInt(fields[0]) == PROTOCOL
                ? "it has %s ranks, but WORLD_SIZE is %d here; set the same on every rank, and give each job an address of its own"
                        .formatted(fields[1], worldSize)
                : "it uses version %s of the restart protocol, but this process version %d; run the same version of this library on every rank"
                        .formatted(fields[0], PROTOCOL);
    }
}
