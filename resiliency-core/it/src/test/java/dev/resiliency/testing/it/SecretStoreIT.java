package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.testing.ProcessJob;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that asks for a secret and a certificate, which ranks have from their program: no variable names them. */
class SecretStoreIT {
    private static final byte[] SECRET = "known to the program alone".getBytes(UTF_8);

    @TempDir
    private Path directory;

    /** The program of one rank: arguments are the port, and whom to trust. */
    static final class Program {
        private Program() {}

        @SuppressWarnings("SystemOut") // read by the test
        public static void main(String[] arguments) throws Exception {
            Integer worldSize = Wrapper.builder()
                    .monitorProcessInterval(Duration.ofMillis(50))
                    .store(StoreFactory.external(
                            "127.0.0.1",
                            Integer.parseInt(arguments[0]),
                            Duration.ofSeconds(60),
                            Secret.of(SECRET),
                            Tls.create().trust(Path.of(arguments[1]))))
                    .build()
                    .call(call -> {
                        System.out.println(
                                "trains in a world of " + call.state().worldSize());
                        while (call.state().worldSize() == 2) {
                            call.ping();
                            Thread.sleep(10);
                        }
                        return call.state().worldSize();
                    });
            System.out.println("completed in a world of " + worldSize);
        }
    }

    @Test
    void monitorProcessTellsTheOthersOfADeathThroughIt() throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle own = new CertificateBuilder()
                .ecp256()
                .subject("CN=store")
                .addSanIpAddress("127.0.0.1")
                .buildIssuedBy(authority);
        Path trust = write("trust.pem", authority.getRootCertificatePEM());
        Tls tls = Tls.create()
                .certificate(write("store.pem", own.getCertificatePathPEM()), write("key.pem", own.getPrivateKeyPEM()));
        try (TcpStoreServer server = TcpStoreServer.builder()
                        .secret(Secret.of(SECRET))
                        .tls(tls)
                        .start();
                ProcessJob job = ProcessJob.builder(Program.class, directory)
                        .worldSize(2)
                        .arguments(Integer.toString(server.port()), trust.toString())
                        .start()) {
            job.rank(0).awaitLine("trains in a world of 2");
            job.rank(1).awaitLine("trains in a world of 2");

            job.rank(1).kill();

            job.rank(0).awaitLine("completed in a world of 1");
            assertThat(job.rank(0).awaitExit()).isZero();
            assertThat(job.rank(0).log()).containsPattern("TERMINATED on rank 1 \\(process \\d+ died\\)");
        }
    }

    private Path write(String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }
}
