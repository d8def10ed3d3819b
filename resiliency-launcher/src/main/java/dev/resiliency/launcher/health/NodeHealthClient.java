package dev.resiliency.launcher.health;

import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.rpc.health.HealthCheckRequest;
import dev.resiliency.launcher.rpc.health.HealthCheckResponse;
import dev.resiliency.launcher.rpc.health.HealthCheckServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Calls the node health service. The only class of this package that loads gRPC, and only when there is a
 * service to ask. */
final class NodeHealthClient {
    /** The argument with which nvidia-resiliency-ext calls the service: this is no prolog of Slurm. */
    private static final String ARGUMENT = "--no-slurm";

    private NodeHealthClient() {}

    /**
     * Asks the service at a Unix socket.
     *
     * @throws IOException if it cannot be reached, or does not answer in time; the message is what the service does then
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for the end of its thread
    static ServiceCheck.Answer ask(Path socket, Duration limit) throws IOException, InterruptedException {
        EventLoopGroup thread = new EpollEventLoopGroup(1);
        ManagedChannel channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                .eventLoopGroup(thread)
                .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
                // Removes what gRPC sets for all channels, and Netty would warn of.
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            HealthCheckResponse response = HealthCheckServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .runHealthCheck(
                            HealthCheckRequest.newBuilder().addArgs(ARGUMENT).build());
            return new ServiceCheck.Answer(
                    response.getSuccess(), response.getExitCode(), response.getOutput(), response.getError());
        } catch (StatusRuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw new IOException(problem(e.getStatus(), limit), e);
        } finally {
            channel.shutdownNow();
            thread.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    private static String problem(Status status, Duration limit) {
        return status.getCode() == Status.Code.DEADLINE_EXCEEDED
                ? "has not answered within " + Durations.format(limit)
                : "cannot be asked (%s: %s)"
                        .formatted(status.getCode(), Excerpt.of(String.valueOf(status.getDescription())));
    }
}
