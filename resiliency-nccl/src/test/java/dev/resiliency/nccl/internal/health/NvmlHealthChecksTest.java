package dev.resiliency.nccl.internal.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuHealthChecks;
import dev.resiliency.nccl.GpuHealthChecks.XidCheck;
import dev.resiliency.nccl.NativeShim;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NvmlHealthChecksTest {
    private static final State STATE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);

    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    @Test
    void deviceWithoutRecoveryActionIsHealthy() {
        assertHealthy(GpuHealthChecks.gpuRecovery());
    }

    @ParameterizedTest
    @CsvSource({"1, reset the GPU", "2, reboot the node", "4, drain and reset the GPU", "9, unknown to this version"})
    void recoveryActionIsNamedWithTheDevice(int action, String meaning) {
        SHIM.set("recovery", action);

        assertFault(
                GpuHealthChecks.gpuRecovery(1),
                "device 1 (Shim GPU 1, 0000:02:00.0): NVML's recovery action is " + action + " (" + meaning
                        + "), a healthy device has 0 (none)");
    }

    @Test
    void driverWithoutRecoveryActionsIsHealthy() {
        SHIM.set("recovery", 1);
        SHIM.set("recovery.result", 3);

        assertHealthy(GpuHealthChecks.gpuRecovery());
    }

    @Test
    void lostDeviceFails() {
        SHIM.set("recovery.result", 15);

        assertFault(GpuHealthChecks.gpuRecovery(), "failed with error 15: GPU is lost");
    }

    @Test
    void firstSearchForADeviceHasTimeToLoadTheLibraries() throws Exception {
        SHIM.set("devices", 8);

        assertThat(ManagedDevice.searchLimit(7)).isEqualTo(Duration.ofSeconds(60));
        ManagedDevice.find(7);
        assertThat(ManagedDevice.searchLimit(7)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void unchangedLinksAreHealthy() throws Exception {
        SHIM.set("nvlink.3", 0); // down from the start

        HealthCheck check = GpuHealthChecks.nvLink();

        assertHealthy(check);
    }

    @Test
    void linkThatGoesDownIsNamed() throws Exception {
        HealthCheck check = GpuHealthChecks.nvLink();

        SHIM.set("nvlink.2", 0);

        assertFault(check, "device 0 (Shim GPU 0, 0000:01:00.0): link 2 is down, it was up");
    }

    @Test
    void linkErrorsCountFromTheStart() throws Exception {
        SHIM.set("nvlink.1.3", 5000);
        HealthCheck check = GpuHealthChecks.nvLink(0, 10);

        SHIM.set("nvlink.1.3", 5010);
        assertHealthy(check);
        SHIM.set("nvlink.1.3", 5011);

        assertFault(check, "link 1 has counted 11 CRC data errors since this check was created; the limit is 10");
    }

    @Test
    void xidIsReportedOnce() throws Exception {
        try (XidCheck check = GpuHealthChecks.xid()) {
            assertHealthy(check);

            SHIM.set("xid", 79);

            assertFault(check, "the driver has reported XID [79] since the last check");
            assertHealthy(check);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {13, 31, 43, 45, 68, 109})
    void xidThatProgramsCauseIsTolerated(long xid) throws Exception {
        try (XidCheck check = GpuHealthChecks.xid();
                XidCheck strict = GpuHealthChecks.xid(0, Set.of())) {
            SHIM.set("xid", xid);

            assertHealthy(check);
            assertFault(strict, "XID [" + xid + "]");
        }
    }

    private static void assertHealthy(HealthCheck check) {
        assertThatCode(() -> check.check(STATE)).doesNotThrowAnyException();
    }

    private static void assertFault(HealthCheck check, String message) {
        assertThatExceptionOfType(GpuException.class)
                .isThrownBy(() -> check.check(STATE))
                .withMessageContaining(message);
    }
}
