package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jboss.logging.Logger;

/** What the kernel says of a file of a volume, in the words of the API. */
final class Refusals {

    private static final Logger LOG = Logger.getLogger(Refusals.class);

    private Refusals() {}

    static Problem of(IOException failure, DrivePath path) {
        if (failure instanceof NoSuchFileException || failure instanceof NotDirectoryException) {
            return notFound(path);
        }
        if (failure instanceof FileAlreadyExistsException) {
            return exists(path);
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return notEmpty(path);
        }
        if (failure instanceof AccessDeniedException) {
            return notReadable(path, "is no ordinary file");
        }
        String words = words(failure);
        return words.startsWith("Too many levels of symbolic links")
                ? notReadable(path, "leads over a symbolic link, and none is followed here")
                : saying(words, path, failure);
    }

    /** Java hands on what the kernel says as words only. */
    private static Problem saying(String words, DrivePath path, IOException failure) {
        return switch (words) {
            case "Not a directory" -> notFound(path);
            case "Directory not empty" -> notEmpty(path);
            case "File exists" -> exists(path);
            case "No space left on device", "Disk quota exceeded" -> full();
            case "File name too long" ->
                    Problem.invalid("path", "A name on this path is too long, or the whole is.");
            case "Invalid argument" ->
                    Problem.invalid("path", "A directory cannot be moved into itself.");
            case "Is a directory" -> notReadable(path, "is a directory");
            case "Illegal seek",
                    "Operation not permitted",
                    "No such device or address",
                    "No such device" ->
                    notReadable(path, "is no ordinary file");
            default -> {
                LOG.warnf(failure, "What the file system of a volume says of %s", path);
                yield new Problem(
                        Reason.VOLUME_UNAVAILABLE,
                        "The volume cannot be used now; the log of its worker says why.",
                        failure);
            }
        };
    }

    static Problem notFound(DrivePath path) {
        return new Problem(
                        Reason.FILE_NOT_FOUND, "There is nothing at " + path + " of this volume.")
                .with("path", path.shown());
    }

    static Problem exists(DrivePath path) {
        return new Problem(
                        Reason.FILE_EXISTS,
                        "There is something at "
                                + path
                                + " already. Name another path, or ask to"
                                + " overwrite a file.")
                .with("path", path.shown());
    }

    static Problem notReadable(DrivePath path, String why) {
        return new Problem(Reason.FILE_NOT_READABLE, path + " " + why + ".")
                .with("path", path.shown());
    }

    private static Problem notEmpty(DrivePath path) {
        return new Problem(
                        Reason.DIRECTORY_NOT_EMPTY,
                        path + " is not empty. Say recursive to remove all that is in it.")
                .with("path", path.shown());
    }

    private static Problem full() {
        return new Problem(
                Reason.VOLUME_FULL,
                "The volume is full. Remove something, or have its limit raised.");
    }

    private static String words(IOException failure) {
        String words =
                failure instanceof FileSystemException known
                        ? known.getReason()
                        : failure.getMessage();
        return words == null ? "" : words;
    }
}
