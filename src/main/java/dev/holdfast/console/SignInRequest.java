package dev.holdfast.console;

/**
 * @param key the API key to sign in with
 */
public record SignInRequest(String key) {

    @Override
    public String toString() {
        return "a key to sign in with";
    }
}
