package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.launcher.rendezvous.Master;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.spi.StoreAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The environment variables of the processes that an agent starts: those of torchrun, and this project's own.
 *
 * @param store that of the job
 */
record RankVariables(String jobId, StoreAddress store, int maxRestarts) {

    /**
     * Returns the variables of a process.
     *
     * @param master where rank 0 may host a store of its own
     * @param process its number on the node
     * @param restarts how often it was started again before
     * @param promise the number by which it is to join
     */
    Map<String, String> of(Seat seat, Master master, int process, int restarts, OptionalInt promise) {
        Map<String, String> variables = new HashMap<>();
        String rank = Integer.toString(seat.rank(process));
        String worldSize = Integer.toString(seat.worldSize());
        variables.put("RANK", rank);
        variables.put("LOCAL_RANK", Integer.toString(process));
        variables.put("GROUP_RANK", Integer.toString(seat.group()));
        variables.put("ROLE_RANK", rank);
        variables.put("ROLE_NAME", "default");
        variables.put("WORLD_SIZE", worldSize);
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(seat.processes()));
        variables.put("ROLE_WORLD_SIZE", worldSize);
        variables.put("GROUP_WORLD_SIZE", Integer.toString(seat.nodes()));
        variables.put("MASTER_ADDR", master.host());
        variables.put("MASTER_PORT", Integer.toString(master.port()));
        variables.put("TORCHELASTIC_RESTART_COUNT", Integer.toString(restarts));
        variables.put("TORCHELASTIC_MAX_RESTARTS", Integer.toString(maxRestarts));
        variables.put("TORCHELASTIC_RUN_ID", jobId);
        variables.put("TORCHELASTIC_USE_AGENT_STORE", "False");
        variables.put("RESILIENCY_JOB_ID", jobId);
        variables.put(StoreFactory.VARIABLE, store.toString());
        promise.ifPresent(number -> variables.put(LaunchedJob.PROMISE_VARIABLE, Integer.toString(number)));
        return variables;
    }
}
