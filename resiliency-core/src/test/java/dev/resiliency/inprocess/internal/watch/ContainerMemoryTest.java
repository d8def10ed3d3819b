package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.monitor.spi.MemoryUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the files of control groups as Linux writes them, at paths of the test. */
class ContainerMemoryTest {
    @TempDir
    private Path group;

    private void write(String file, String text) throws IOException {
        Files.writeString(group.resolve(file), text);
    }

    private int percent() {
        return new ContainerMemory(List.of(group)).percent();
    }

    @Test
    void filesThatTheKernelForgetsWhenItNeedsRoomDoNotCount() throws IOException {
        write("memory.max", "1000\n");
        write("memory.current", "900\n");
        write("memory.stat", "anon 500\nfile 400\ninactive_file 300\n");

        assertThat(percent()).isEqualTo(60);
    }

    @Test
    void groupIsNeverMoreThanFullNorLessThanEmpty() throws IOException {
        write("memory.max", "1000\n");
        write("memory.stat", "inactive_file 300\n");
        write("memory.current", "1400\n");
        assertThat(percent()).isEqualTo(100);

        write("memory.current", "200\n");
        assertThat(percent()).isZero();
    }

    @Test
    void groupOfVersionOneIsRead() throws IOException {
        write("memory.limit_in_bytes", "1000\n");
        write("memory.usage_in_bytes", "990\n");
        write("memory.stat", "inactive_file 1\ntotal_inactive_file 10\n");

        assertThat(percent()).isEqualTo(98);
    }

    @Test
    void groupWithoutALimitIsNeverFull() throws IOException {
        write("memory.max", "max\n");
        write("memory.current", "900\n");
        assertThat(percent()).isEqualTo(MemoryUse.UNKNOWN);

        write("memory.max", "0\n");
        assertThat(percent()).isEqualTo(MemoryUse.UNKNOWN);

        write("memory.max", "9223372036854771712\n");
        assertThat(percent()).isEqualTo(MemoryUse.UNKNOWN);
    }

    @Test
    void whatIsNoNumberIsNotKnown() throws IOException {
        assertThat(percent()).isEqualTo(MemoryUse.UNKNOWN);

        write("memory.max", "many\n");
        assertThat(percent()).isEqualTo(MemoryUse.UNKNOWN);
    }
}
