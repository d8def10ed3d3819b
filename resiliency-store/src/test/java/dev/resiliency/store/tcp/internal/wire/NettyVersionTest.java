package dev.resiliency.store.tcp.internal.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NettyVersionTest {

    @Test
    void supportedNettyPasses() {
        assertThatCode(NettyVersion::check).doesNotThrowAnyException();
    }

    /** As where the first calls of several ranks begin in one process. */
    @Test
    void threadsThatCheckAtTheSameTimeDoNotCloseTheJarsOfEachOther() throws Exception {
        int threads = 4;
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> checks = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                checks.add(pool.submit(() -> {
                    together.await();
                    for (int i = 0; i < 20; i++) {
                        NettyVersion.check(NettyVersion.class.getClassLoader());
                    }
                    return null;
                }));
            }
            for (Future<?> check : checks) {
                assertThatCode(check::get).doesNotThrowAnyException();
            }
        } finally {
            pool.shutdownNow();
        }
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

    /** As where an application brings Netty 4.1 before this library brings 4.2. */
    @Test
    void classesOfAnOlderNettyBesideThoseOfTheRequiredOneAreNamed(@TempDir Path older) throws Exception {
        Path versions = older.resolve("META-INF/io.netty.versions.properties");
        Files.createDirectories(versions.getParent());
        Files.writeString(versions, "netty-buffer.version=4.1.118.Final\n");
        String name = "io/netty/buffer/ByteBuf.class";
        Files.createDirectories(older.resolve(name).getParent());
        try (InputStream code =
                requireNonNull(NettyVersionTest.class.getClassLoader().getResourceAsStream(name))) {
            Files.copy(code, older.resolve(name));
        }
        List<URL> places = new ArrayList<>(List.of(older.toUri().toURL()));
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            places.add(Path.of(element).toUri().toURL());
        }
        try (URLClassLoader application = new URLClassLoader(places.toArray(URL[]::new), null)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> NettyVersion.check(application))
                    .withMessageContaining(
                            "netty-buffer 4.1.118.Final in " + older.toUri().toURL());
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

    @Test
    void theBuilderOfAServerReportsAnOlderNetty() throws Exception {
        Method builder = new OlderNetty()
                .loadClass("dev.resiliency.store.tcp.TcpStoreServer")
                .getMethod("builder");

        assertThatThrownBy(() -> builder.invoke(null))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs Netty 4.2 or newer");
    }

    /** Loads this library anew, over a Netty that lacks what Netty 4.2 brought. */
    private static final class OlderNetty extends ClassLoader {
        OlderNetty() {
            super(NettyVersionTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.netty.channel.SingleThreadIo")) {
                throw new ClassNotFoundException(name);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null || !name.startsWith("dev.resiliency.")) {
                return known != null ? known : super.loadClass(name, resolve);
            }
            try (InputStream in = requireNonNull(getResourceAsStream(name.replace('.', '/') + ".class"))) {
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
