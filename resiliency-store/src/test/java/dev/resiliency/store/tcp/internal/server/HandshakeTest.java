package dev.resiliency.store.tcp.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.Challenge;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.client.ClientConnection;
import dev.resiliency.store.tcp.internal.client.ClientHandshake;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.FlushQueue;
import dev.resiliency.store.tcp.internal.wire.FrameDecoder;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.RandomOperations;
import dev.resiliency.store.tcp.internal.wire.RefusedException;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The handshake in which client and server prove to each other that they know the secret. */
class HandshakeTest {
    private static final SecretKey SECRET = key("0123456789abcdef");
    private static final Value NONCE = Value.of(new byte[Challenge.NONCE_BYTES]);

    private final EmbeddedChannel atServer = new EmbeddedChannel();
    private final EmbeddedChannel atClient = new EmbeddedChannel();
    private final CompletableFuture<ClientConnection> welcome = new CompletableFuture<>();

    private static SecretKey key(String text) {
        return new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
    }

    private void startServer(@Nullable SecretKey secret) {
        startServer(atServer, secret);
    }

    private static void startServer(EmbeddedChannel channel, @Nullable SecretKey secret) {
        channel.freezeTime();
        ServerConnection.install(
                new ServerState(
                        channel.eventLoop(),
                        new ServerSettings("scope", new Credentials(secret, null), false, Limits.defaults()),
                        Descriptors.of(1 << 20)),
                null,
                channel);
    }

    private void startClient(@Nullable SecretKey secret) {
        ClientHandshake handshake = new ClientHandshake("scope", secret);
        FlushQueue flushes = new FlushQueue(atClient.eventLoop());
        atClient.pipeline().addLast(new FrameDecoder(), new ClientConnection(handshake, atClient, flushes, welcome));
        atClient.pipeline().fireChannelActive();
        atClient.runPendingTasks();
    }

    @AfterEach
    void release() {
        atServer.finishAndReleaseAll();
        atClient.finishAndReleaseAll();
    }

    private static void receive(EmbeddedChannel channel, ByteBuf... parts) {
        channel.writeInbound((Object[]) parts);
        channel.runPendingTasks();
    }

    private static ByteBuf preface() {
        ByteBuf preface = Unpooled.buffer();
        Frames.writePreface(preface);
        return preface;
    }

    private static ByteBuf frame(int type, Consumer<WireWriter> body) {
        return Frames.frame(ByteBufAllocator.DEFAULT, type, 0, body);
    }

    private static ByteBuf hello(Value nonce) {
        return frame(Frames.HELLO, body -> body.text("scope").value(nonce));
    }

    private static ByteBuf proof(Value proof) {
        return frame(Frames.PROOF, body -> body.value(proof));
    }

    private static ByteBuf set() {
        return frame(
                Frames.REQUEST,
                body -> OperationCodec.writeAll(
                        List.of(new Operation.Set("key", Value.of("v"))),
                        body.duration(Duration.ZERO).with(RandomOperations.IDS)));
    }

    /** Passes on everything that one side wrote; returns the types of the frames. */
    private static String pass(EmbeddedChannel from, EmbeddedChannel to) {
        StringBuilder types = new StringBuilder();
        for (ByteBuf written = from.readOutbound(); written != null; written = from.readOutbound()) {
            if (written.getInt(0) != Frames.MAGIC) {
                types.append(written.getUnsignedByte(Integer.BYTES)).append(' ');
            }
            receive(to, written);
        }
        return types.toString().strip();
    }

    /** Returns the body of the next frame that was written, which has this type. */
    private static WireReader next(EmbeddedChannel channel, int type) {
        ByteBuf frame = channel.readOutbound();
        byte[] bytes = ByteBufUtil.getBytes(frame.skipBytes(Integer.BYTES));
        frame.release();
        ByteBuf copy = Unpooled.wrappedBuffer(bytes);
        assertThat(Frames.Header.read(copy).type()).isEqualTo(type);
        return new WireReader(copy);
    }

    private static Value nonceOf(EmbeddedChannel server) {
        return next(server, Frames.CHALLENGE).value();
    }

    /** Returns the nonce in the client's HELLO. */
    private Value nonceOfClient() {
        atClient.<ByteBuf>readOutbound().release(); // the preface
        WireReader hello = next(atClient, Frames.HELLO);
        hello.text();
        return hello.value();
    }

    private void assertTurnedAway(EmbeddedChannel server, int code) {
        assertThat(next(server, Frames.REFUSED).byteOf()).isEqualTo(code);
        assertThat(server.isOpen()).isFalse();
        assertThat(server.<ByteBuf>readOutbound()).isNull();
    }

    private void assertClientRefuses(int code) {
        assertThat(atClient.isOpen()).isFalse();
        assertThatThrownBy(welcome::join)
                .cause()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    // --- what is sent

    @Test
    void proofsHaveTheseBytes() {
        byte[] ones = new byte[Challenge.NONCE_BYTES];
        Arrays.fill(ones, (byte) 1);
        Challenge challenge = new Challenge(NONCE, Value.of(ones), "scope");

        assertThat(ByteBufUtil.hexDump(challenge.clientProof(SECRET).bytes()))
                .isEqualTo("ac6b021bce2ce38cb3f050a64e17fdef2a90e23c436b99b910abb94de773037f");
        assertThat(ByteBufUtil.hexDump(challenge.serverProof(SECRET).bytes()))
                .isEqualTo("fa138e98f89f402b9b4223915e2ee165b91b24406b7cd7a4da2658dbf1a1f9ca");
    }

    private static String hex(ByteBuf frame) {
        String hex = ByteBufUtil.hexDump(frame);
        frame.release();
        return hex;
    }

    @Test
    void framesHaveTheseBytes() {
        assertThat(hex(hello(Value.empty()))).isEqualTo("00000010010000000000000000" + "0573636f706500");
        assertThat(hex(hello(NONCE))).isEqualTo("00000030010000000000000000" + "0573636f706520" + "00".repeat(32));
        assertThat(hex(proof(NONCE))).isEqualTo("0000002a050000000000000000" + "20" + "00".repeat(32));

        startServer(SECRET);
        receive(atServer, preface(), hello(NONCE));
        ByteBuf challenge = atServer.readOutbound();
        assertThat(ByteBufUtil.hexDump(challenge))
                .startsWith("0000002a160000000000000000" + "20")
                .hasSize(2 * 46);
        challenge.release();
    }

    @Test
    void bothSidesProveTheSecret() {
        startServer(SECRET);
        startClient(SECRET);

        assertThat(pass(atClient, atServer)).isEqualTo("1");
        assertThat(pass(atServer, atClient)).isEqualTo("22");
        assertThat(pass(atClient, atServer)).isEqualTo("5");
        assertThat(welcome).isNotDone();
        assertThat(pass(atServer, atClient)).isEqualTo("16");

        assertThat(welcome).isCompleted();
    }

    @Test
    void withoutASecretNothingIsProven() {
        startServer(null);
        startClient(null);

        assertThat(pass(atClient, atServer)).isEqualTo("1");
        assertThat(pass(atServer, atClient)).isEqualTo("16");

        assertThat(welcome).isCompleted();
    }

    // --- what a server rejects

    @Test
    void wrongProofIsRejected() {
        startServer(SECRET);
        receive(atServer, preface(), hello(NONCE));
        Challenge challenge = new Challenge(NONCE, nonceOf(atServer), "scope");

        receive(atServer, proof(challenge.clientProof(key("another secret.."))), set());

        assertTurnedAway(atServer, Frames.REFUSED_WRONG_SECRET);
    }

    @Test
    void proofForAnotherScopeIsRejected() {
        startServer(SECRET);
        receive(atServer, preface(), hello(NONCE));
        Challenge challenge = new Challenge(NONCE, nonceOf(atServer), "other");

        receive(atServer, proof(challenge.clientProof(SECRET)));

        assertTurnedAway(atServer, Frames.REFUSED_WRONG_SECRET);
    }

    @Test
    void proofOfTheServersOwnRoleIsRejected() {
        startServer(SECRET);
        receive(atServer, preface(), hello(NONCE));
        Challenge challenge = new Challenge(NONCE, nonceOf(atServer), "scope");

        receive(atServer, proof(challenge.serverProof(SECRET)));

        assertTurnedAway(atServer, Frames.REFUSED_WRONG_SECRET);
    }

    @Test
    void replayedProofIsRejected() {
        startServer(SECRET);
        receive(atServer, preface(), hello(NONCE));
        Value overheard = new Challenge(NONCE, nonceOf(atServer), "scope").clientProof(SECRET);
        receive(atServer, proof(overheard));
        next(atServer, Frames.WELCOME);
        EmbeddedChannel another = new EmbeddedChannel();
        startServer(another, SECRET);

        receive(another, preface(), hello(NONCE));
        nonceOf(another);
        receive(another, proof(overheard));

        assertTurnedAway(another, Frames.REFUSED_WRONG_SECRET);
        another.finishAndReleaseAll();
    }

    @Test
    void clientWithoutASecretIsRejectedUnread() {
        startServer(SECRET);

        receive(atServer, preface(), hello(Value.empty()), set());

        assertTurnedAway(atServer, Frames.REFUSED_WITHOUT_SECRET);
    }

    @Test
    void challengedClientMaySendOnlyAProof() {
        for (ByteBuf instead : List.of(set(), hello(NONCE), frame(Frames.GOODBYE, body -> {}))) {
            EmbeddedChannel channel = new EmbeddedChannel();
            startServer(channel, SECRET);
            receive(channel, preface(), hello(NONCE));
            Value proof = new Challenge(NONCE, nonceOf(channel), "scope").clientProof(SECRET);

            receive(channel, instead, proof(proof));

            assertThat(channel.isOpen()).isFalse();
            assertThat(channel.<ByteBuf>readOutbound()).isNull();
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void nonceOfAnotherLengthClosesTheConnection() {
        startServer(SECRET);

        receive(atServer, preface(), hello(Value.of("short")));

        assertThat(atServer.isOpen()).isFalse();
        assertThat(atServer.<ByteBuf>readOutbound()).isNull();
    }

    @Test
    void clientThatDoesNotAnswerTheChallengeIsDisconnectedAfterTenSeconds() {
        startServer(SECRET);
        receive(atServer, preface(), hello(NONCE));

        atServer.advanceTimeBy(10, TimeUnit.SECONDS);
        atServer.runScheduledPendingTasks();

        assertThat(atServer.isOpen()).isFalse();
    }

    @Test
    void serverWithoutTheSecretOfAClientSaysSo() {
        startServer(null);

        receive(atServer, preface(), hello(NONCE));

        assertTurnedAway(atServer, Frames.REFUSED_SECRET_UNKNOWN);
    }

    // --- what a client rejects

    private static ByteBuf welcomeFrame(Value proof) {
        return frame(
                Frames.WELCOME,
                body -> body.shortOf(1).number(42).value(proof).varint(1 << 20).value(NONCE));
    }

    private static ByteBuf challengeFrame() {
        return frame(Frames.CHALLENGE, body -> body.value(NONCE));
    }

    @Test
    void serverThatReflectsTheClientsProofIsRejected() {
        startClient(SECRET);
        nonceOfClient();
        receive(atClient, challengeFrame());

        receive(atClient, welcomeFrame(next(atClient, Frames.PROOF).value()));

        assertClientRefuses(Frames.REFUSED_WRONG_SECRET);
    }

    @Test
    void serverWithoutAProofIsRejected() {
        startClient(SECRET);
        receive(atClient, challengeFrame(), welcomeFrame(Value.empty()));

        assertClientRefuses(Frames.REFUSED_WRONG_SECRET);
    }

    @Test
    void serverWithoutAChallengeIsRejected() {
        startClient(SECRET);
        receive(atClient, welcomeFrame(Value.empty()));

        assertClientRefuses(Frames.REFUSED_SECRET_UNKNOWN);
    }

    @Test
    void clientProvesTheSecretOnlyOnce() {
        startClient(SECRET);
        nonceOfClient();
        receive(atClient, challengeFrame(), challengeFrame());

        next(atClient, Frames.PROOF);
        assertThat(atClient.<ByteBuf>readOutbound()).isNull();
        assertThat(atClient.isOpen()).isFalse();
    }

    @Test
    void framesBeforeTheWelcomeAreRejected() {
        startClient(SECRET);
        receive(atClient, frame(Frames.EXPIRED, body -> body.text("text")));

        assertThat(atClient.isOpen()).isFalse();
        assertThat(welcome).isCompletedExceptionally();
    }
}
