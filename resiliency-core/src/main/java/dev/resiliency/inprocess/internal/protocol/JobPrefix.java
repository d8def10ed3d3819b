package dev.resiliency.inprocess.internal.protocol;

/** The prefix of the keys of one call, which keeps them apart from those of other jobs and other calls. */
public final class JobPrefix {
    private JobPrefix() {}

    /**
     * Returns the prefix.
     *
     * @param call how many times a process of the job has called a wrapper before
     */
    public static String of(String jobId, int call) {
        return "jobs/" + jobId + "/call-" + call;
    }
}
