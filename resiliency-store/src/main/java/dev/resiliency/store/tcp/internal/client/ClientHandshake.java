package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Challenge;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.RefusedException;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** The client's part of the handshake: what it sends, and what it accepts as an answer. */
public final class ClientHandshake {
    private final String scope;
    private final @Nullable SecretKey secret;
    private final Value nonce;
    private @Nullable Challenge challenge;

    public ClientHandshake(String scope, @Nullable SecretKey secret) {
        this.scope = scope;
        this.secret = secret;
        this.nonce = secret == null ? Value.empty() : Challenge.newNonce();
    }

    void writeHello(WireWriter body) {
        body.text(scope).value(nonce);
    }

    /** Returns the answer to the server's nonce. */
    Value prove(Value serverNonce) throws RefusedException {
        if (secret == null) {
            throw new RefusedException(Frames.REFUSED_WITHOUT_SECRET, "it sent a challenge");
        }
        if (challenge != null) {
            throw new ProtocolException("the server sent a second challenge");
        }
        Frames.checkNonce(serverNonce);
        challenge = new Challenge(nonce, serverNonce, scope);
        return challenge.clientProof(secret);
    }

    /** Checks the server's proof; empty if it has no secret. */
    void check(Value serverProof) throws RefusedException {
        if (secret == null) {
            return;
        }
        if (challenge == null) {
            throw new RefusedException(Frames.REFUSED_SECRET_UNKNOWN, "it sent no challenge");
        }
        if (!Challenge.isSame(challenge.serverProof(secret), serverProof)) {
            throw new RefusedException(Frames.REFUSED_WRONG_SECRET, "it sent a wrong proof");
        }
    }
}
