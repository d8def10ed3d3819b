package dev.resiliency.nccl.internal.health;

import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.NativeCall;
import dev.resiliency.nccl.internal.natives.Nvml;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A device as NVML knows it. A driver in trouble may never answer, so each question has a limit. */
final class ManagedDevice {
    /** NVML answers within milliseconds or not at all. */
    static final Duration LIMIT = Duration.ofSeconds(10);
    /** The first search loads the libraries and starts the device, while all other ranks of the host do the same. */
    static final Duration FIRST_LIMIT = Duration.ofSeconds(60);

    /** The numbers of the devices that were found before. Concurrent: any thread may find one. */
    private static final Set<Integer> FOUND = ConcurrentHashMap.newKeySet();

    private final Nvml nvml;
    private final long address;
    private final String name;

    private ManagedDevice(Nvml nvml, long address, String name) {
        this.nvml = nvml;
        this.address = address;
        this.name = name;
    }

    /**
     * Finds the device with this CUDA number.
     *
     * @throws dev.resiliency.nccl.GpuUnavailableException if a library or the device is missing
     */
    static ManagedDevice find(int device) throws InterruptedException {
        return NativeCall.start("search for device " + device, () -> findNow(device), unused -> {})
                .await(searchLimit(device));
    }

    /**
     * Finds all devices of this host through NVML alone, which takes no memory of theirs.
     *
     * @throws dev.resiliency.nccl.GpuUnavailableException if a library is missing
     */
    static List<ManagedDevice> ofThisHost() throws InterruptedException {
        return NativeCall.start("search for the devices of this host", ManagedDevice::findAllNow, unused -> {})
                .await(FIRST_LIMIT);
    }

    private static List<ManagedDevice> findAllNow() {
        Nvml nvml = Bindings.nvml();
        return nvml.devices().stream()
                .map(address -> new ManagedDevice(
                        nvml, address, "GPU %s (%s)".formatted(nvml.pciBusId(address), nvml.name(address))))
                .toList();
    }

    static Duration searchLimit(int device) {
        return FOUND.contains(device) ? LIMIT : FIRST_LIMIT;
    }

    private static ManagedDevice findNow(int device) {
        Bindings.cuda().setDevice(device);
        String pciBusId = Bindings.cuda().pciBusId(device);
        Nvml nvml = Bindings.nvml();
        long address = nvml.device(pciBusId);
        FOUND.add(device);
        return new ManagedDevice(nvml, address, "device %d (%s, %s)".formatted(device, nvml.name(address), pciBusId));
    }

    /** A question to NVML about a device. */
    interface Question<T> {
        T ask(Nvml nvml, long device);
    }

    /**
     * Returns the answer to a question.
     *
     * @throws dev.resiliency.nccl.GpuException if there is no answer within the limit
     */
    <T> T ask(String what, Question<T> question) throws InterruptedException {
        return NativeCall.start(what + " of " + name, () -> question.ask(nvml, address), unused -> {})
                .await(LIMIT);
    }

    /** Returns its number, product and PCI address. */
    @Override
    public String toString() {
        return name;
    }
}
