package dev.resiliency.examples.demo;

/**
 * A process that came while the job was running, and was taken in.
 *
 * @param iteration the first iteration in which it took part
 * @param rank its number in the job
 * @param replaces the number of the process for which it was started
 * @param msFromFault from the fault that cost the job that process until this one trained, or stood by as a reserve
 */
record Join(int iteration, int rank, int replaces, double msFromFault) {

    /** Returns a line for people. */
    String text() {
        return "rank %d joined %.1f ms after the loss of rank %d, for which it was started"
                .formatted(rank, msFromFault, replaces);
    }
}
