package dev.resiliency.launcher.gpu;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Counts the GPUs of this host that a process may use. */
public final class GpuDevices {
    private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";
    private static final Path DEVICES = Path.of("/dev");
    private static final Pattern GPU = Pattern.compile("nvidia\\d+");

    private GpuDevices() {}

    /**
     * Returns how many there are: those of {@code CUDA_VISIBLE_DEVICES}, or all; empty if there is none.
     *
     * @param variables of the environment
     */
    public static OptionalInt count(Map<String, String> variables) {
        return count(variables, DEVICES);
    }

    static OptionalInt count(Map<String, String> variables, Path devices) {
        String visible = variables.get(VISIBLE);
        int count = visible == null ? all(devices) : visible(visible);
        return count == 0 ? OptionalInt.empty() : OptionalInt.of(count);
    }

    /** As CUDA reads it: nothing counts from the first number on that is negative. */
    private static int visible(String list) {
        int count = 0;
        for (String device : list.split(",", -1)) {
            if (device.isBlank() || device.strip().startsWith("-")) {
                break;
            }
            count++;
        }
        return count;
    }

    private static int all(Path devices) {
        int count = 0;
        try (DirectoryStream<Path> gpus = Files.newDirectoryStream(
                devices, device -> GPU.matcher(device.getFileName().toString()).matches())) {
            for (Path ignored : gpus) {
                count++;
            }
        } catch (IOException e) {
            return 0; // as without any
        }
        return count;
    }
}
