package dev.resiliency.launcher.health;

import dev.resiliency.launcher.rpc.health.HealthCheckRequest;
import dev.resiliency.launcher.rpc.health.HealthCheckResponse;
import dev.resiliency.launcher.rpc.health.HealthCheckServiceGrpc.HealthCheckServiceImplBase;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.StreamObserver;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A node health service in a process of its own. Answers with what two files say when it is asked: {@code success} (true or false)
 * and {@code output}. If there is no file {@code output}, it never answers.
 */
public final class NodeHealthServer {
    private NodeHealthServer() {}

    /** Serves at the socket that the first argument names, with the files of the directory that the second one names. */
    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] arguments) throws Exception {
        File socket = new File(arguments[0]);
        Path directory = Path.of(arguments[1]);
        EpollEventLoopGroup threads = new EpollEventLoopGroup(1);
        Server server = NettyServerBuilder.forAddress(new DomainSocketAddress(socket))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(threads)
                .workerEventLoopGroup(threads)
                .addService(new Service(directory))
                .build()
                .start();
        System.out.println("serves");
        server.awaitTermination();
    }

    private static final class Service extends HealthCheckServiceImplBase {
        private final Path directory;

        Service(Path directory) {
            this.directory = directory;
        }

        @Override
        public void runHealthCheck(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
            Path output = directory.resolve("output");
            if (!Files.exists(output)) {
                return;
            }
            try {
                boolean success = Files.readString(directory.resolve("success")).equals("true");
                observer.onNext(HealthCheckResponse.newBuilder()
                        .setSuccess(success)
                        .setExitCode(success ? 0 : 1)
                        .setOutput(Files.readString(output))
                        .setError(success ? "" : "called with " + request.getArgsList())
                        .build());
                observer.onCompleted();
            } catch (IOException e) {
                observer.onError(e);
            }
        }
    }
}
