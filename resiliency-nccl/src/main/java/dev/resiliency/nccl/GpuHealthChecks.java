package dev.resiliency.nccl;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.nccl.internal.health.HealthChecks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Creates checks of whether this rank's GPU and host can still train. Without an argument they check the device whose number
 * is the variable {@code LOCAL_RANK}, or 0 if it is not set.
 *
 * <p>A check throws a {@link GpuException} if it fails, and if the driver does not answer within 10 s. The message names the
 * device and the fault.
 *
 * @since 0.1.0
 */
public final class GpuHealthChecks {
    /** How long the work that is left on the device may take: 30 s. */
    public static final Duration CUDA_LIMIT = Duration.ofSeconds(30);

    /** How many errors of one kind a link may count: 100. */
    public static final long NVLINK_ERROR_LIMIT = 100;

    /**
     * The XIDs that programs cause: engine exception 13, page fault 31, stopped channel 43, cleanup after a program 45,
     * exception of the video decoder 68, timeout of a context switch 109.
     */
    public static final Set<Long> XIDS_OF_PROGRAMS = Set.of(13L, 31L, 43L, 45L, 68L, 109L);

    private GpuHealthChecks() {}

    /** Returns {@link #cuda(int, Duration)} with {@link #CUDA_LIMIT}. */
    public static HealthCheck cuda() {
        return cuda(localRank(), CUDA_LIMIT);
    }

    /**
     * Returns a check that synchronizes the device twice. It detects a kernel that never ends by the limit, and a corrupted
     * context, as an illegal address leaves it, by its error: no call on the device works in this process any more.
     * nvidia-resiliency-ext's {@code CudaHealthCheck}.
     *
     * @param limit how long each synchronization may take; should be less than the soft timeout
     */
    public static HealthCheck cuda(int device, Duration limit) {
        return HealthChecks.cuda(device, limit);
    }

    /** Returns {@link #gpuRecovery(int)} of this rank's device. */
    public static HealthCheck gpuRecovery() {
        return gpuRecovery(localRank());
    }

    /**
     * Returns a check that fails if the driver demands an action before the device can be used again, such as a reset. A
     * driver that is too old to answer passes. nvidia-resiliency-ext's {@code GPUHealthCheck}.
     */
    public static HealthCheck gpuRecovery(int device) {
        return HealthChecks.gpuRecovery(device);
    }

    /** Returns {@link #nvLink(int, long)} of this rank's device, with {@link #NVLINK_ERROR_LIMIT}. */
    public static HealthCheck nvLink() throws InterruptedException {
        return nvLink(localRank(), NVLINK_ERROR_LIMIT);
    }

    /**
     * Returns a check that fails if an NVLink of the device that is up now goes down, or counts too many errors from now on.
     * A device without links passes. nvidia-resiliency-ext's {@code NVLHealthCheck}.
     *
     * @param errorLimit how many errors of one kind each link may count
     * @throws GpuUnavailableException if the device or a library is missing
     */
    public static HealthCheck nvLink(int device, long errorLimit) throws InterruptedException {
        return HealthChecks.nvLink(device, errorLimit);
    }

    /** Returns {@link #xid(int, Set)} of this rank's device, which tolerates {@link #XIDS_OF_PROGRAMS}. */
    public static XidCheck xid() throws InterruptedException {
        return xid(localRank(), XIDS_OF_PROGRAMS);
    }

    /**
     * Returns a check that fails if the driver has reported a critical error (XID) of the device since the last check, or
     * since this call.
     *
     * @param tolerated the XIDs that are only logged, because programs cause them: {@link #cuda} detects whether this
     *     process can go on
     * @throws GpuUnavailableException if the device or a library is missing
     */
    public static XidCheck xid(int device, Set<Long> tolerated) throws InterruptedException {
        return HealthChecks.xid(device, tolerated);
    }

    /**
     * A check of XIDs, which the driver collects for it until it is closed.
     *
     * @since 0.1.0
     */
    public interface XidCheck extends HealthCheck, AutoCloseable {
        /** Stops collecting. */
        @Override
        void close();
    }

    /**
     * Returns a check that fails if a network link of this host that is up now goes down: an InfiniBand port or a physical
     * Ethernet device. Virtual functions (SR-IOV) and USB devices are ignored, since they come and go with containers and
     * the board's controller. Needs no CUDA. The check throws an {@link IOException} that names each link that is down.
     *
     * @throws IOException if {@code /sys} cannot be read
     */
    public static HealthCheck nic() throws IOException {
        return HealthChecks.nic(Path.of("/sys"));
    }

    /**
     * The status of a device, for a log or a report.
     *
     * @param device its number, product and PCI address
     * @param driverVersion the version of the driver
     * @param recoveryAction NVML's number for the action that the device needs, 0 for none; empty if the driver does not
     *     report it
     * @param links number of NVLinks
     * @param linksUp number of NVLinks that are up
     * @since 0.1.0
     */
    public record Status(String device, String driverVersion, OptionalInt recoveryAction, int links, int linksUp) {}

    /**
     * Returns the status of a device.
     *
     * @throws GpuUnavailableException if the device or a library is missing
     */
    public static Status status(int device) throws InterruptedException {
        return HealthChecks.status(device);
    }

    private static int localRank() {
        return Environment.fromVariables().localRank();
    }
}
