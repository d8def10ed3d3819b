package dev.resiliency.nccl.internal.health;

import dev.resiliency.nccl.internal.natives.Nvml;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The links of a device at one moment. */
record NvLinks(List<NvLinks.Link> links) {
    /** The errors that NVML counts on a link, in the order of its numbers. */
    static final List<String> COUNTERS = List.of("replay", "recovery", "CRC flit", "CRC data", "ECC data");

    /**
     * A link.
     *
     * @param number its number
     * @param up whether it is up
     * @param errors counted since the driver was loaded, in the order of {@link #COUNTERS}; 0 for one that is not counted
     */
    record Link(int number, boolean up, List<Long> errors) {}

    static NvLinks read(Nvml nvml, long device) {
        List<Link> links = new ArrayList<>();
        for (int link = 0; link < Nvml.MOST_LINKS; link++) {
            OptionalInt state = nvml.linkState(device, link);
            if (state.isPresent()) {
                links.add(new Link(link, state.getAsInt() == 1, errors(nvml, device, link)));
            }
        }
        return new NvLinks(links);
    }

    private static List<Long> errors(Nvml nvml, long device, int link) {
        List<Long> errors = new ArrayList<>();
        for (int counter = 0; counter < COUNTERS.size(); counter++) {
            errors.add(nvml.linkErrors(device, link, counter).orElse(0));
        }
        return errors;
    }
}
