package dev.resiliency.state.internal;

import java.util.List;

/** A part of the state with the buffers in which the function changes it. */
record LivePart(Part part, List<Region> regions) {
    Chunks chunks() {
        return new Chunks(regions);
    }
}
