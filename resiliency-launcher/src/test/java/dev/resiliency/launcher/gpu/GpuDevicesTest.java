package dev.resiliency.launcher.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuDevicesTest {
    private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

    @TempDir
    private Path devices;

    @Test
    void devicesOfTheDriverCount() throws IOException {
        assertThat(GpuDevices.count(Map.of(), devices)).isEmpty();
        assertThat(GpuDevices.count(Map.of(), devices.resolve("none"))).isEmpty();

        for (String name : List.of("nvidia0", "nvidia1", "nvidia10", "nvidiactl", "nvidia-uvm", "null")) {
            Files.createFile(devices.resolve(name));
        }

        assertThat(GpuDevices.count(Map.of(), devices)).hasValue(3);
    }

    @Test
    void visibleDevicesCountInstead() {
        assertThat(GpuDevices.count(Map.of(VISIBLE, "2,3"), devices)).hasValue(2);
        assertThat(GpuDevices.count(Map.of(VISIBLE, "GPU-8932f937,MIG-1"), devices))
                .hasValue(2);
        assertThat(GpuDevices.count(Map.of(VISIBLE, "0,-1,1"), devices)).hasValue(1);
        assertThat(GpuDevices.count(Map.of(VISIBLE, ""), devices)).isEmpty();
        assertThat(GpuDevices.count(Map.of(VISIBLE, "-1"), devices)).isEmpty();
    }
}
