package dev.holdfast.openid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FarewellTest {

    private static final String HOME = "https://holdfast.example/console/";

    @Test
    void tellsTheProviderWhoHasLeftAndWhereTheyGo() {
        assertThat(Farewell.address("https://id.example/end", "a.b.c", "hold fast", HOME))
                .contains(
                        "https://id.example/end?id_token_hint=a.b.c&client_id=hold%20fast"
                                + "&post_logout_redirect_uri=https%3A%2F%2Fholdfast.example%2Fconsole%2F");
        assertThat(Farewell.address("https://id.example/end?tenant=1", "t", "c", HOME))
                .hasValueSatisfying(
                        address ->
                                assertThat(address)
                                        .startsWith(
                                                "https://id.example/end?tenant=1&id_token_hint=t&"));
    }

    @Test
    void leadsNowhereWithoutAnAddressOfTheProviders() {
        assertThat(Farewell.address(null, "t", "c", HOME)).isEmpty();
        assertThat(Farewell.address("", "t", "c", HOME)).isEmpty();
        assertThat(Farewell.address("javascript:alert(1)", "t", "c", HOME)).isEmpty();
    }
}
