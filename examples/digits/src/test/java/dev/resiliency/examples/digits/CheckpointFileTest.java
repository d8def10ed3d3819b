package dev.resiliency.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.RestartAbort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointFileTest {
    private static final float[] WEIGHTS = {1.5f, -2.25f, Float.MIN_VALUE};
    private static final float[] VELOCITY = {0.5f};

    private final Path path;
    private final CheckpointFile checkpoint;
    private final float[] weights = new float[3];
    private final float[] velocity = new float[1];

    CheckpointFileTest(@TempDir Path directory) {
        path = directory.resolve("checkpoint");
        checkpoint = new CheckpointFile(path);
    }

    @Test
    void restoresWhatWasSaved() throws IOException {
        checkpoint.save(700, WEIGHTS, VELOCITY);

        assertThat(checkpoint.restore(weights, velocity)).isEqualTo(700);
        assertThat(weights).containsExactly(WEIGHTS);
        assertThat(velocity).containsExactly(VELOCITY);
    }

    @Test
    void withoutACheckpointTheStepIsZero() throws IOException {
        assertThat(checkpoint.restore(weights, velocity)).isZero();
    }

    @Test
    void crashBeforeTheRenameKeepsTheOldOne() throws IOException {
        checkpoint.save(1, WEIGHTS, VELOCITY);
        checkpoint.write(2, new float[] {7, 7, 7}, VELOCITY);

        assertThat(checkpoint.restore(weights, velocity)).isEqualTo(1);
        assertThat(weights).containsExactly(WEIGHTS);
    }

    @Test
    void everyTruncatedFileIsRejected() throws IOException {
        checkpoint.save(1, WEIGHTS, VELOCITY);
        byte[] whole = Files.readAllBytes(path);

        for (int length = 0; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> checkpoint.restore(weights, velocity))
                    .as("%d of %d bytes", length, whole.length)
                    .isInstanceOf(RestartAbort.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("Delete it");
        }
    }

    @Test
    void everyFlippedByteIsRejectedAndChangesNothing() throws IOException {
        checkpoint.save(1, WEIGHTS, VELOCITY);
        byte[] whole = Files.readAllBytes(path);

        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            Files.write(path, damaged);
            assertThatThrownBy(() -> checkpoint.restore(weights, velocity))
                    .as("byte %d", i)
                    .isInstanceOf(RestartAbort.class);
        }
        assertThat(weights).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4})
    void checkpointOfAnotherModelIsRejected(int length) throws IOException {
        checkpoint.save(1, new float[length], VELOCITY);

        assertThatThrownBy(() -> checkpoint.restore(weights, velocity))
                .isInstanceOf(RestartAbort.class)
                .hasMessageContaining("another model");
    }
}
