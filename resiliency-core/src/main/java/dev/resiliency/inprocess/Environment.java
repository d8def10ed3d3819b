package dev.resiliency.inprocess;

import dev.resiliency.store.spi.StoreAddress;
import java.util.Map;
import java.util.Optional;

/**
 * The identity of this process in its job, as set by its launcher: by default in the environment variables that
 * torchrun, SLURM wrappers and Kubernetes operators set.
 *
 * @param rank {@code RANK}: 0 to {@code worldSize - 1}
 * @param worldSize {@code WORLD_SIZE}: the number of ranks that were started
 * @param localRank {@code LOCAL_RANK}: the position of this rank on its host, 0 if not given
 * @param masterAddress the host of the job's store: of the one that a launcher names in {@link StoreFactory#VARIABLE}, otherwise {@code
 *     MASTER_ADDR}, the host of rank 0
 * @param masterPort the port of that store, or {@code MASTER_PORT}, on which rank 0 hosts it; 0 means a store that no other
 *     process can reach and is valid for a job of one rank only
 * @param jobId the name of the job, the same on every rank and after every restart of a process: jobs with different
 *     ids can share a store, and processes with the same id and store belong together. 1 to 200 printable characters
 *     without white space and {@code /}
 * @since 0.1.0
 */
public record Environment(int rank, int worldSize, int localRank, String masterAddress, int masterPort, String jobId) {
    /** The id of a job to which neither a user nor a launcher has given one. */
    public static final String DEFAULT_JOB_ID = "default";

    private static final int HIGHEST_PORT = 65_535;

    /** Creates the environment of a job with the id {@link #DEFAULT_JOB_ID}. */
    public Environment(int rank, int worldSize, int localRank, String masterAddress, int masterPort) {
        this(rank, worldSize, localRank, masterAddress, masterPort, DEFAULT_JOB_ID);
    }

    /** Checks that the values are consistent. */
    public Environment {
        if (worldSize < 1) {
            throw new IllegalArgumentException("WORLD_SIZE is " + worldSize + ": it must be at least 1");
        }
        if (rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException("RANK is " + rank + ", but with WORLD_SIZE " + worldSize
                    + " it must be from 0 to " + (worldSize - 1));
        }
        if (localRank < 0) {
            throw new IllegalArgumentException("LOCAL_RANK is " + localRank + ": it must not be negative");
        }
        if (masterPort < 0 || masterPort > HIGHEST_PORT || (masterPort == 0 && worldSize > 1)) {
            throw new IllegalArgumentException(
                    "MASTER_PORT is " + masterPort + ": it must be from 1 to 65535, the same on every rank");
        }
        JobId.check("the job id", jobId, "");
    }

    /** Returns the environment of a job of one rank with its own store. */
    public static Environment single() {
        return single(DEFAULT_JOB_ID);
    }

    private static Environment single(String jobId) {
        return new Environment(0, 1, 0, "127.0.0.1", 0, jobId);
    }

    /** Reads the environment variables of this process: see {@link #fromVariables(Map)}. */
    public static Environment fromVariables() {
        return fromVariables(System.getenv());
    }

    /**
     * Reads {@code RANK}, {@code WORLD_SIZE}, {@code LOCAL_RANK}, {@code MASTER_ADDR} and {@code MASTER_PORT}, and instead of the last two
     * {@link StoreFactory#VARIABLE}, if that is set. Without the first two, the job has one rank, so that a program runs unchanged on a
     * laptop.
     *
     * <p>The job id is the first that is set of {@code RESILIENCY_JOB_ID}; Slurm's {@code SLURM_ARRAY_JOB_ID} with
     * {@code _} and {@code SLURM_ARRAY_TASK_ID}, or {@code SLURM_JOB_ID}; torchrun's {@code TORCHELASTIC_RUN_ID}; otherwise
     * {@link #DEFAULT_JOB_ID}. Kubernetes sets no variable with the name of a job: pass its label {@code
     * batch.kubernetes.io/job-name} on as {@code RESILIENCY_JOB_ID} by the downward API.
     *
     * @throws IllegalArgumentException if a variable is missing, is not a number, contradicts another, or is no valid
     *     job id; the message names it and, if two contradict each other, both
     */
    public static Environment fromVariables(Map<String, String> variables) {
        if (!variables.containsKey("RANK") && !variables.containsKey("WORLD_SIZE")) {
            return single(JobId.from(variables));
        }
        Optional<StoreAddress> store = StoreAddress.parse(variables.getOrDefault(StoreFactory.VARIABLE, ""), 0);
        return new Environment(
                number(variables, "RANK"),
                number(variables, "WORLD_SIZE"),
                variables.containsKey("LOCAL_RANK") ? number(variables, "LOCAL_RANK") : 0,
                store.isPresent() ? store.get().host() : text(variables, "MASTER_ADDR"),
                store.isPresent() ? store.get().port() : number(variables, "MASTER_PORT"),
                JobId.from(variables));
    }

    private static int number(Map<String, String> variables, String name) {
        String value = text(variables, name);
        try {
            return Integer.parseInt(value.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is \"" + value + "\", which is not a whole number", e);
        }
    }

    private static String text(Map<String, String> variables, String name) {
        String value = variables.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    "the variable " + name + " is not set: a job of several ranks needs RANK,"
                            + " WORLD_SIZE, MASTER_ADDR and MASTER_PORT on every rank");
        }
        return value;
    }
}
