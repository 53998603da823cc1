package dev.holdfast.storage;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** The client that speaks to a bucket's server, with a limit to everything that it waits for. */
final class BucketClient {

    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private BucketClient() {}

    static S3Client of(S3Config config) {
        Duration patience = config.patience();
        S3ClientBuilder client =
                S3Client.builder()
                        .region(Region.of(config.region()))
                        .forcePathStyle(config.pathStyle())
                        .credentialsProvider(DefaultCredentialsProvider.builder().build())
                        // Not every server takes checksums at the end of a body. What is written
                        // carries an MD5 instead, and what is read is checked by its reader.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                        // Bodies as they are: the parts are small enough to be signed whole.
                        .serviceConfiguration(to -> to.chunkedEncodingEnabled(false))
                        .httpClientBuilder(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(shorter(CONNECTING, patience))
                                        .socketTimeout(shorter(SILENCE, patience)))
                        .overrideConfiguration(
                                to ->
                                        to.retryStrategy(
                                                        AwsRetryStrategy.standardRetryStrategy()
                                                                .toBuilder()
                                                                .maxAttempts(config.attempts())
                                                                .build())
                                                .apiCallAttemptTimeout(patience)
                                                .apiCallTimeout(
                                                        patience.multipliedBy(
                                                                config.attempts() + 1)));
        if (config.endpoint() != null) {
            client.endpointOverride(config.endpoint());
        }
        return client.build();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
