package dev.resiliency.store.tcp.internal.wire;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NettyVersionTest {

    @Test
    void supportedNettyPasses() {
        assertThatCode(NettyVersion::check).doesNotThrowAnyException();
    }

    @Test
    void olderNettyIsNamedWithTheRequiredVersion(@TempDir Path classPath) throws Exception {
        Path versions = classPath.resolve("META-INF/io.netty.versions.properties");
        Files.createDirectories(versions.getParent());
        Files.writeString(versions, """
                netty-common.version=4.1.118.Final
                netty-common.buildDate=2025-02-10 00:00:00 +0000
                netty-common.commitDate=2025-02-10 00:00:00 +0000
                netty-common.shortCommitHash=1
                netty-common.longCommitHash=1
                netty-common.repoStatus=clean
                """);
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {classPath.toUri().toURL()}, null)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> NettyVersion.check(application))
                    .withMessageContaining("needs Netty 4.2 or newer")
                    .withMessageContaining("netty-common 4.1.118.Final");
        }
    }

    @Test
    void missingNettyIsReported(@TempDir Path empty) throws Exception {
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {empty.toUri().toURL()}, null)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> NettyVersion.check(application))
                    .withMessageContaining("found none");
        }
    }
}
