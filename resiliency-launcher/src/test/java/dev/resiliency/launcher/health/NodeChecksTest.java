package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.HealthSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which checks the settings of a node ask for. */
class NodeChecksTest {
    private static List<Class<?>> checks(HealthSettings.Builder settings) {
        return NodeChecks.of(settings.build(), "127.0.0.1", 29500).stream()
                .<Class<?>>map(HostCheck::getClass)
                .toList();
    }

    private static HealthSettings.Builder nothing() {
        return HealthSettings.builder().minFreeDisk(0).minFreeMemory(0).maxClockSkew(Duration.ZERO);
    }

    @Test
    void eachSettingAddsItsCheck() {
        assertThat(checks(nothing())).isEmpty();
        assertThat(checks(nothing().service(Path.of("/run/health.sock")))).containsExactly(ServiceCheck.class);
        assertThat(checks(nothing().program(List.of("true")))).containsExactly(ProgramCheck.class);
        assertThat(checks(nothing().gpus("nccl.jar"))).containsExactly(HardwareCheck.class);
        assertThat(checks(nothing().distributedStorage(true))).containsExactly(DistributedStorageCheck.class);
        assertThat(checks(nothing().storagePaths(List.of(Path.of("/data"), Path.of("/mnt")))))
                .containsExactly(StorageCheck.class, StorageCheck.class);
        assertThat(checks(nothing().minFreeDisk(1))).containsExactly(DiskCheck.class);
        assertThat(checks(nothing().minFreeMemory(1))).containsExactly(MemoryCheck.class);
        assertThat(checks(nothing().maxClockSkew(Duration.ofSeconds(1)))).containsExactly(ClockCheck.class);
    }

    @Test
    void checksRunInOneOrderAndThatOfTheStoreIsTheLast() {
        assertThat(checks(HealthSettings.builder()
                        .service(Path.of("/run/health.sock"))
                        .program(List.of("true"))
                        .gpus("nccl.jar")
                        .distributedStorage(true)
                        .storagePaths(List.of(Path.of("/data")))
                        .minFreeDisk(1)
                        .minFreeMemory(1)
                        .maxClockSkew(Duration.ofSeconds(1))))
                .containsExactly(
                        ServiceCheck.class,
                        ProgramCheck.class,
                        HardwareCheck.class,
                        DistributedStorageCheck.class,
                        StorageCheck.class,
                        DiskCheck.class,
                        MemoryCheck.class,
                        ClockCheck.class);
    }

    @Test
    void clocksAreNotComparedWhereThereIsNoStore() {
        assertThat(NodeChecks.of(nothing().maxClockSkew(Duration.ofSeconds(1)).build()))
                .isEmpty();
    }
}
