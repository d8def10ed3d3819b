package dev.resiliency.nccl.internal.health;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuHealthChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NicHealthCheckTest {
    private static final State STATE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);

    @TempDir
    Path sysfs;

    @BeforeEach
    void hostWithInfinibandAndEthernet() throws IOException {
        write("class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
        write("class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n");
        write("class/net/eth0/operstate", "up\n");
        Files.createDirectories(sysfs.resolve("class/net/eth0/device"));
        write("class/net/lo/operstate", "up\n");
    }

    @Test
    void hostWithUnchangedLinksIsHealthy() throws IOException {
        HealthCheck check = HealthChecks.nic(sysfs);

        assertThatCode(() -> check.check(STATE)).doesNotThrowAnyException();
    }

    @Test
    void infinibandPortThatGoesDownIsNamedWithItsState() throws IOException {
        HealthCheck check = HealthChecks.nic(sysfs);
        write("class/infiniband/mlx5_0/ports/1/state", "2: INIT\n");

        assertThatIOException()
                .isThrownBy(() -> check.check(STATE))
                .withMessageContaining("mlx5_0 port 1 is \"2: INIT\"")
                .withMessageContaining("it was \"4: ACTIVE\"")
                .withMessageContaining(sysfs.toString());
    }

    @Test
    void ethernetDeviceThatVanishesIsNamed() throws IOException {
        HealthCheck check = HealthChecks.nic(sysfs);
        Files.delete(sysfs.resolve("class/net/eth0/operstate"));

        assertThatIOException().isThrownBy(() -> check.check(STATE)).withMessageContaining("eth0 is gone");
    }

    @Test
    void loopbackIsIgnored() throws IOException {
        HealthCheck check = HealthChecks.nic(sysfs);
        write("class/net/lo/operstate", "down\n");

        assertThatCode(() -> check.check(STATE)).doesNotThrowAnyException();
    }

    @Test
    void virtualFunctionMayMoveToAContainer() throws IOException {
        write("class/net/eth1/operstate", "up\n");
        Files.createDirectories(sysfs.resolve("class/net/eth1/device/physfn"));
        write("class/infiniband/mlx5_2/ports/1/state", "4: ACTIVE\n");
        Files.createDirectories(sysfs.resolve("class/infiniband/mlx5_2/device/physfn"));
        HealthCheck check = HealthChecks.nic(sysfs);
        Files.delete(sysfs.resolve("class/net/eth1/operstate"));
        Files.delete(sysfs.resolve("class/infiniband/mlx5_2/ports/1/state"));

        assertThatCode(() -> check.check(STATE)).doesNotThrowAnyException();
    }

    @Test
    void usbDeviceIsIgnored() throws IOException {
        Path usb = Files.createDirectories(sysfs.resolve("bus/usb"));
        write("class/net/usb0/operstate", "up\n");
        Files.createDirectories(sysfs.resolve("class/net/usb0/device"));
        Files.createSymbolicLink(sysfs.resolve("class/net/usb0/device/subsystem"), usb);
        HealthCheck check = HealthChecks.nic(sysfs);
        write("class/net/usb0/operstate", "down\n");

        assertThatCode(() -> check.check(STATE)).doesNotThrowAnyException();
    }

    @Test
    void deviceOfAnotherBusIsChecked() throws IOException {
        Path pci = Files.createDirectories(sysfs.resolve("bus/pci"));
        Files.createSymbolicLink(sysfs.resolve("class/net/eth0/device/subsystem"), pci);
        HealthCheck check = HealthChecks.nic(sysfs);
        write("class/net/eth0/operstate", "down\n");

        assertThatIOException().isThrownBy(() -> check.check(STATE)).withMessageContaining("eth0 is \"down\"");
    }

    @Test
    void portThatWasDownAtTheStartMayStayDown() throws IOException {
        HealthCheck check = HealthChecks.nic(sysfs);
        write("class/infiniband/mlx5_1/ports/1/state", "2: INIT\n");

        assertThatCode(() -> check.check(STATE)).doesNotThrowAnyException();
    }

    @Test
    void thisHostIsHealthyWhenTheCheckIsCreated() throws IOException {
        HealthCheck check = GpuHealthChecks.nic();

        assertThatCode(() -> check.check(STATE)).doesNotThrowAnyException();
    }

    private void write(String file, String content) throws IOException {
        Path path = sysfs.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }
}
