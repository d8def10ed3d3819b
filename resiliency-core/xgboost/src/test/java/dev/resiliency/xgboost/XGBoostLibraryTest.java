package dev.resiliency.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class XGBoostLibraryTest {
    @Test
    void onlyWhatWasUnpackedIntoTheTemporaryDirectoryIsDeleted() {
        Stream<String> mappings = Stream.of(
                "7f00-7f01 r-xp 00000000 08:01 1 /tmp/libxgboost4j123.so",
                "7f01-7f02 r--p 00000000 08:01 1 /tmp/libxgboost4j123.so",
                "7f02-7f03 r-xp 00000000 08:01 2 /usr/lib/libxgboost4j.so",
                "7f03-7f04 r-xp 00000000 08:01 3 /tmp/libother.so",
                "7f04-7f05 rw-p 00000000 00:00 0 ");

        assertThat(XGBoostLibrary.unpacked(mappings, Path.of("/tmp")))
                .containsExactly(Path.of("/tmp/libxgboost4j123.so"));
    }
}
