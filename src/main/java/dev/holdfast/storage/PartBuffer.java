package dev.holdfast.storage;

import java.io.ByteArrayInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import software.amazon.awssdk.core.sync.RequestBody;

/** The bytes of one request, kept until the request has succeeded. Grows up to its limit. */
final class PartBuffer {

    private static final int FIRST = 64 * 1024;

    private final int limit;
    private byte[] bytes;
    private int count;

    PartBuffer(int limit) {
        this.limit = limit;
        this.bytes = new byte[Math.min(FIRST, limit)];
    }

    /**
     * Takes what there is room for.
     *
     * @return how much that was
     */
    int take(byte[] source, int offset, int length) {
        int taken = Math.min(length, limit - count);
        if (count + taken > bytes.length) {
            long grown = Math.max(count + taken, bytes.length * 4L);
            bytes = Arrays.copyOf(bytes, (int) Math.min(limit, grown));
        }
        System.arraycopy(source, offset, bytes, count, taken);
        count += taken;
        return taken;
    }

    void clear() {
        count = 0;
    }

    boolean isFull() {
        return count == limit;
    }

    /** May be read again and again, and copies nothing. */
    RequestBody body() {
        return RequestBody.fromContentProvider(
                () -> new ByteArrayInputStream(bytes, 0, count), count, "application/octet-stream");
    }

    /** As a request carries it, for the server to compare with what arrived. */
    String md5() {
        MessageDigest digest = newMd5();
        digest.update(bytes, 0, count);
        return Base64.getEncoder().encodeToString(digest.digest());
    }

    private static MessageDigest newMd5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has MD5", impossible);
        }
    }
}
