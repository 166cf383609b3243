"""Reads the type and size of a photo from its first bytes, before it is decoded."""

import struct

MOST_PIXELS = 100_000_000


class Refusal(Exception):
    """Why a request is refused: the status, a stable code, and a message with the remedy."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


def size(photo: bytes) -> tuple[int, int]:
    """Width and height in pixels. Raises Refusal for anything but a JPEG, PNG or WebP image of at most MOST_PIXELS."""
    if photo[4:8] == b"ftyp":
        raise Refusal(400, "invalid_image", "HEIC photos cannot be read here; convert the photo to JPEG.")
    try:
        width, height = _size(photo)
    except struct.error:
        width, height = 0, 0
    if width * height == 0:
        raise Refusal(400, "invalid_image", "The photo is not a complete JPEG, PNG or WebP image.")
    if width * height > MOST_PIXELS:
        raise Refusal(400, "invalid_image", f"The photo has more than {MOST_PIXELS // 1_000_000} megapixels.")
    return width, height


def _size(photo: bytes) -> tuple[int, int]:
    if photo.startswith(b"\x89PNG\r\n\x1a\n"):
        return struct.unpack_from(">II", photo, 16)
    if photo[:4] == b"RIFF" and photo[8:16] == b"WEBPVP8X":  # RFC 9649 §2.7
        width, more_width, height, more_height = struct.unpack_from("<HBHB", photo, 24)
        return width + (more_width << 16) + 1, height + (more_height << 16) + 1
    if photo[:4] == b"RIFF" and photo[8:16] in (b"WEBPVP8L", b"WEBPVP8 "):  # RFC 9649 §2.5-2.6
        lossless = photo[15:16] == b"L"
        (bits,) = struct.unpack_from("<I", photo, 21 if lossless else 26)
        return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1) if lossless else (bits & 0x3FFF, bits >> 16 & 0x3FFF)
    place = 2
    while photo.startswith(b"\xff\xd8\xff"):  # ITU-T T.81 B.1.1, B.2.2
        mark, code, length, height, width = struct.unpack_from(">BBHxHH", photo, place)
        if mark != 0xFF or length < 2 or code in (0xD9, 0xDA):
            break
        if 0xC0 <= code <= 0xCF and code not in (0xC4, 0xC8, 0xCC):
            return width, height
        place += 1 if code == 0xFF else 2 + length
    return 0, 0
