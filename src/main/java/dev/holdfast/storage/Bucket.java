package dev.holdfast.storage;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * One bucket, asked so that every request ends in time and every failure is an {@link IOException}
 * that says what is wrong. A request is repeated a bounded number of times when the server or the
 * way to it failed; so one that changes something may have been done twice, and its answer says so.
 */
final class Bucket implements Closeable {

    /** What a conditional write came to. */
    enum Outcome {
        STORED,
        /** There is an object of that name, or somebody is just making or removing one. */
        TAKEN,
        /** The upload is not in progress any more: ended by this very request, or by a sweep. */
        GONE
    }

    /** Servers put a large object together before they answer. */
    private static final int COMPLETION = 5;

    private final S3Client client;
    private final String name;
    private final String prefix;
    private final Duration patience;

    Bucket(S3Config config) {
        this.client = BucketClient.of(config);
        this.name = config.bucket();
        this.prefix = config.prefix();
        this.patience = config.patience();
    }

    /** How an object of the store is named in the bucket. */
    String place(ObjectKey key) {
        return place(key.value());
    }

    /** The same of what is no object of the store. */
    String place(String name) {
        return prefix + name;
    }

    /** The key that an object of the bucket has in the store; empty: it is not one of ours. */
    Optional<ObjectKey> key(String place) {
        return place.startsWith(prefix) && ObjectKey.isKey(place.substring(prefix.length()))
                ? Optional.of(new ObjectKey(place.substring(prefix.length())))
                : Optional.empty();
    }

    String name() {
        return name;
    }

    /** What is known of an object without reading it; empty if there is none. */
    Optional<HeadObjectResponse> head(String place) throws IOException {
        return found(() -> client.headObject(to -> to.bucket(name).key(place)));
    }

    Optional<ResponseInputStream<GetObjectResponse>> get(String place) throws IOException {
        return found(
                () ->
                        client.getObject(
                                to -> to.bucket(name).key(place),
                                ResponseTransformer.toInputStream()));
    }

    /** The same object from a position on; refused if it is not the same any more. */
    ResponseInputStream<GetObjectResponse> get(String place, String etag, long position)
            throws IOException {
        return ask(
                () ->
                        client.getObject(
                                to ->
                                        to.bucket(name)
                                                .key(place)
                                                .ifMatch(etag)
                                                .range("bytes=" + position + "-"),
                                ResponseTransformer.toInputStream()));
    }

    /** Makes an object of these bytes unless there is one of that name. */
    Outcome put(String place, PartBuffer content, Map<String, String> about) throws IOException {
        return put(place, content, about, to -> {});
    }

    /** The same of nothing, for a moment's answer. */
    Outcome probe(String place, Duration atMost) throws IOException {
        return put(place, new PartBuffer(0), Map.of(), to -> to.apiCallTimeout(atMost));
    }

    private Outcome put(
            String place,
            PartBuffer content,
            Map<String, String> about,
            Consumer<AwsRequestOverrideConfiguration.Builder> limits)
            throws IOException {
        return outcome(
                () ->
                        client.putObject(
                                to ->
                                        to.bucket(name)
                                                .key(place)
                                                .ifNoneMatch("*")
                                                .contentMD5(content.md5())
                                                .metadata(about)
                                                .overrideConfiguration(limits),
                                content.body()));
    }

    String create(String place) throws IOException {
        return ask(() -> client.createMultipartUpload(to -> to.bucket(name).key(place))).uploadId();
    }

    /** Repeating it with the same bytes is a no-op. */
    CompletedPart part(String place, String upload, int number, PartBuffer content)
            throws IOException {
        String etag =
                ask(() ->
                                client.uploadPart(
                                        to ->
                                                to.bucket(name)
                                                        .key(place)
                                                        .uploadId(upload)
                                                        .partNumber(number)
                                                        .contentMD5(content.md5()),
                                        content.body()))
                        .eTag();
        return CompletedPart.builder().partNumber(number).eTag(etag).build();
    }

    /** Makes an object of the parts unless there is one of that name. */
    Outcome complete(String place, String upload, List<CompletedPart> parts) throws IOException {
        Duration attempt = patience.multipliedBy(COMPLETION);
        return outcome(
                () ->
                        client.completeMultipartUpload(
                                to ->
                                        to.bucket(name)
                                                .key(place)
                                                .uploadId(upload)
                                                .ifNoneMatch("*")
                                                .multipartUpload(all -> all.parts(parts))
                                                .overrideConfiguration(
                                                        limits ->
                                                                limits.apiCallAttemptTimeout(
                                                                                attempt)
                                                                        .apiCallTimeout(
                                                                                attempt
                                                                                        .multipliedBy(
                                                                                                2)))));
    }

    /**
     * Drops the parts of an upload.
     *
     * @return whether it was in progress
     */
    boolean abort(String place, String upload) throws IOException {
        return found(
                        () ->
                                client.abortMultipartUpload(
                                        to -> to.bucket(name).key(place).uploadId(upload)))
                .isPresent();
    }

    /** One that is not there is fine. */
    void delete(String place) throws IOException {
        ask(() -> client.deleteObject(to -> to.bucket(name).key(place)));
    }

    /**
     * A page of the objects whose key begins so.
     *
     * @param after the token of the page before; null: the first page
     */
    ListObjectsV2Response objects(String beginning, String after) throws IOException {
        return ask(
                () ->
                        client.listObjectsV2(
                                to ->
                                        to.bucket(name)
                                                .prefix(prefix + beginning)
                                                .continuationToken(after)));
    }

    /**
     * A page of the uploads in progress.
     *
     * @param before the page before; null: the first page
     */
    ListMultipartUploadsResponse uploads(ListMultipartUploadsResponse before) throws IOException {
        return ask(
                () ->
                        client.listMultipartUploads(
                                to -> {
                                    to.bucket(name).prefix(prefix);
                                    if (before != null) {
                                        to.keyMarker(before.nextKeyMarker())
                                                .uploadIdMarker(before.nextUploadIdMarker());
                                    }
                                }));
    }

    /**
     * A page of what an upload has so far; empty: it is not in progress any more.
     *
     * @param after the number of the last part of the page before; null: the first page
     */
    Optional<ListPartsResponse> parts(MultipartUpload upload, Integer after) throws IOException {
        return found(
                () ->
                        client.listParts(
                                to ->
                                        to.bucket(name)
                                                .key(upload.key())
                                                .uploadId(upload.uploadId())
                                                .partNumberMarker(after)));
    }

    @Override
    public void close() {
        client.close();
    }

    private <T> T ask(Supplier<T> request) throws IOException {
        try {
            return request.get();
        } catch (SdkException failure) {
            throw BucketException.of(name, failure);
        }
    }

    private <T> Optional<T> found(Supplier<T> request) throws IOException {
        try {
            return Optional.of(request.get());
        } catch (AwsServiceException refusal) {
            if (isAbsent(refusal)) {
                return Optional.empty();
            }
            throw BucketException.of(name, refusal);
        } catch (SdkException failure) {
            throw BucketException.of(name, failure);
        }
    }

    private Outcome outcome(Supplier<?> request) throws IOException {
        try {
            request.get();
            return Outcome.STORED;
        } catch (AwsServiceException refusal) {
            if (refusal.statusCode() == 412 || refusal.statusCode() == 409) {
                return Outcome.TAKEN;
            }
            if (isAbsent(refusal)) {
                return Outcome.GONE;
            }
            throw BucketException.of(name, refusal);
        } catch (SdkException failure) {
            throw BucketException.of(name, failure);
        }
    }

    /** The answer to a question for the head of an object has no word that names the bucket. */
    private static boolean isAbsent(AwsServiceException refusal) {
        return refusal.statusCode() == 404 && !BucketException.code(refusal).equals("NoSuchBucket");
    }
}
