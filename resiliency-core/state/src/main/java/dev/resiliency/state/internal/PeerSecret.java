package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Challenge;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * How the two sides of a connection prove that they belong to the job: by the secret of its store or, if that has none, by
 * the server's token, which it has published there. The token is also part of what is proved, so a proof for one recovery
 * is worthless in another.
 *
 * <pre>
 * client   'R' 'S' 'L' 'S', version 1, client nonce (32 bytes)
 * server   server nonce (32)
 * client   client proof (32): {@link Challenge}
 * server   server proof (32)
 * </pre>
 */
final class PeerSecret {
    private static final byte[] PREFACE = {'R', 'S', 'L', 'S', 1};
    private static final int PROOF_BYTES = 32;

    private final SecretKey key;
    private final String scope;

    /** @param secret that of the store; null if it has none */
    PeerSecret(@Nullable SecretKey secret, String token) {
        this.key = secret == null ? new SecretKeySpec(token.getBytes(US_ASCII), "HmacSHA256") : secret;
        this.scope = "live state " + token;
    }

    void proveAsClient(PeerChannel channel) throws IOException {
        Value nonce = Challenge.newNonce();
        channel.write(ByteBuffer.wrap(PREFACE), ByteBuffer.wrap(nonce.bytes()));
        Challenge challenge = new Challenge(nonce, value(channel, Challenge.NONCE_BYTES), scope);
        channel.write(ByteBuffer.wrap(challenge.clientProof(key).bytes()));
        if (!Challenge.isSame(challenge.serverProof(key), value(channel, PROOF_BYTES))) {
            throw new ProtocolException("the peer does not know the secret of this job");
        }
    }

    void proveAsServer(PeerChannel channel) throws IOException {
        if (!channel.read(PREFACE.length).equals(ByteBuffer.wrap(PREFACE))) {
            throw new ProtocolException("the peer speaks another protocol");
        }
        Value clientNonce = value(channel, Challenge.NONCE_BYTES);
        Value ownNonce = Challenge.newNonce();
        channel.write(ByteBuffer.wrap(ownNonce.bytes()));
        Challenge challenge = new Challenge(clientNonce, ownNonce, scope);
        if (!Challenge.isSame(challenge.clientProof(key), value(channel, PROOF_BYTES))) {
            throw new ProtocolException("the peer does not know the secret of this job");
        }
        channel.write(ByteBuffer.wrap(challenge.serverProof(key).bytes()));
    }

    private static Value value(PeerChannel channel, int bytes) throws IOException {
        return Value.of(channel.read(bytes).array());
    }
}
