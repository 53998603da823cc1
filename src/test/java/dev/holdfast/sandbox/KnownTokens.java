package dev.holdfast.sandbox;

import dev.holdfast.database.Secrets;

/** Tokens made from a secret that the test knows, without a database. */
public final class KnownTokens {

    private KnownTokens() {}

    public static SandboxTokens of(byte[] secret) {
        SandboxTokens tokens = new SandboxTokens();
        tokens.secrets =
                new Secrets() {
                    @Override
                    public byte[] tokenSecret() {
                        return secret.clone();
                    }
                };
        return tokens;
    }
}
