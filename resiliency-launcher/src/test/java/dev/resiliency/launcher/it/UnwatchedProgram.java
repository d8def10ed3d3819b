package dev.resiliency.launcher.it;

import dev.resiliency.inprocess.Wrapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** In its first life, a wrapped rank whose monitor process never begins to watch it; in the next, one that ends at once. */
final class UnwatchedProgram {
    private UnwatchedProgram() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        if (!System.getenv("TORCHELASTIC_RESTART_COUNT").equals("0")) {
            System.out.println("goes on");
            return;
        }
        Path home = Files.createTempDirectory(Path.of(arguments[0]), "home");
        Path realHome = Path.of(System.getProperty("java.home"));
        for (String part : List.of("conf", "lib")) {
            Files.createSymbolicLink(home.resolve(part), realHome.resolve(part));
        }
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexec sleep 600\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        System.setProperty("java.home", home.toString());
        System.setProperty("java.io.tmpdir", home.toString());
        Wrapper.builder()
                .monitorProcessPidFile(home.resolve("monitor.pid").toString())
                .build()
                .call(call -> null);
    }
}
