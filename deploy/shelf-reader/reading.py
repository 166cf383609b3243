"""Reads one photo: its bytes on standard input, entries as JSON on standard output. It is a separate process, so that it can be killed."""

import json
import os
import resource
import sys
from typing import Any

from header import MOST_PIXELS, size

if __name__ == "__main__":  # Before the libraries that read these variables are loaded.
    os.environ.update(OPENCV_IO_MAX_IMAGE_PIXELS=str(MOST_PIXELS), OMP_NUM_THREADS="2", MALLOC_ARENA_MAX="2")
    resource.setrlimit(resource.RLIMIT_DATA, (1536 << 20, 1536 << 20))

import cv2
import numpy as np
import zxingcpp
from rapidocr_onnxruntime import RapidOCR

from spines import Line, spines

# Longest side of the image that is searched, in pixels; minimum confidence of text; minimum probability of a space between two letters,
# which is low because the model rarely recognizes narrow spaces.
LONGEST_SIDE, LEAST_CONFIDENCE, LEAST_SPACE = 2_000, 0.6, 0.15
MOST_ENTRIES, LONGEST_TEXT = 100, 500


def picture_of(photo: bytes) -> np.ndarray:
    """The photo, upright; a very large one has half its width and height."""
    mode = cv2.IMREAD_REDUCED_COLOR_2 if max(size(photo)) >= 4 * LONGEST_SIDE else cv2.IMREAD_COLOR
    return cv2.imdecode(np.frombuffer(photo, np.uint8), mode)


class TextReader:
    """Reads lines of text with RapidOCR's models: their positions, their orientation and their text."""

    def __init__(self) -> None:
        self.engine = RapidOCR(intra_op_num_threads=2, inter_op_num_threads=1, det_limit_type="max", det_limit_side_len=LONGEST_SIDE)
        self.letters = self.engine.text_rec.postprocess_op.character
        self.engine.text_rec.postprocess_op = self._texts

    def lines(self, picture: np.ndarray, factor: float) -> list[Line]:
        """The lines of text: horizontal ones from a smaller image, vertical ones from that image rotated by 90 degrees, all read at full size."""
        small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        found = [*self._places(small)]
        for box in self._places(np.ascontiguousarray(np.rot90(small))):
            found.append(np.stack([small.shape[1] - 1 - box[:, 1], box[:, 0]], axis=1))
        crops, ways, _ = self.engine.text_cls([_cut(picture, corners / factor) for corners in found]) if found else ([], [], 0)
        texts = self.engine.text_rec(crops)[0] if found else []
        lines: list[Line] = []
        for corners, (way, sureness), (text, confidence) in sorted(zip(found, ways, texts), key=lambda read: -read[2][1] * len(read[2][0])):
            corners = corners[[2, 3, 0, 1]] if way == "180" and sureness > 0.9 else corners
            is_known = any(cv2.pointPolygonTest(line.corners, corners.mean(axis=0).tolist(), False) >= 0 for line in lines)
            if confidence >= LEAST_CONFIDENCE and sum(letter.isalnum() for letter in text) > 1 and not is_known:
                lines.append(Line(" ".join(text.split()), confidence, corners))
        return lines

    def _places(self, picture: np.ndarray) -> list[np.ndarray]:
        """The corners of the horizontal lines, clockwise from the start of the text."""
        boxes = self.engine.text_det(picture)[0]
        lines = [Line("", 0, box) for box in np.asarray([] if boxes is None else boxes, dtype=np.float32).reshape(-1, 4, 2)]
        return [line.corners for line in lines if line.length >= 0.9 * line.height and min(line.length, line.height) > 2]

    def _texts(self, predictions: np.ndarray, *_: Any, **__: Any) -> list[tuple[str, float]]:
        """Texts from the likeliest letter in each column: index 0 means no letter, and a repeated index is one letter."""
        texts = []
        for columns in predictions:
            best, text, last = columns.argmax(axis=1), "", 0
            read = np.flatnonzero((best > 0) & (np.diff(best, prepend=-1) != 0))
            for column in read:
                is_split = int(text != "" and columns[last + 1 : column, self.letters.index(" ")].max(initial=0) > LEAST_SPACE)
                text, last = text + " " * is_split + self.letters[best[column]], column
            texts.append((text, float(columns[read, best[read]].mean()) if len(read) else 0.0))
        return texts


def _cut(picture: np.ndarray, corners: np.ndarray) -> np.ndarray:
    line, start = Line("", 0, corners), np.zeros((4, 2), dtype=np.float32)
    start[1:3, 0], start[2:, 1] = line.length, line.height
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), start)
    return cv2.warpPerspective(picture, transform, (int(line.length) + 1, int(line.height) + 1), flags=cv2.INTER_CUBIC)


def entries(picture: np.ndarray, reader: TextReader) -> list[dict[str, Any]]:
    """An entry for each spine, with its text line by line, and a separate entry for each ISBN barcode."""
    read: list[tuple[float, str, np.ndarray, str]] = []
    factor = min(1.0, LONGEST_SIDE / max(picture.shape[:2]))
    lines = reader.lines(picture, factor)
    picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    for spine in spines(lines, picture):
        weights, corners = [len(line.text) for line in spine], np.concatenate([line.corners for line in spine])
        text = "\n".join(line.text for line in spine)
        read.append((float(np.average([line.confidence for line in spine], weights=weights)), text, corners, ""))
    for code in zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.EAN13):
        if code.text.startswith(("978", "979")):
            at = code.position
            corners = np.array([[point.x, point.y] for point in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)])
            read.append((1.0, "", corners, code.text))
    found = []
    for confidence, text, corners, isbn in sorted(read, key=lambda entry: -len(entry[1]) - 1_000 * len(entry[3]))[:MOST_ENTRIES]:
        places = np.clip(corners / np.array(picture.shape[1::-1]), 0, 1).round(4)
        box = dict(zip(("x1", "y1", "x2", "y2"), [*places.min(axis=0).tolist(), *places.max(axis=0).tolist()]))
        found.append({"text": text[:LONGEST_TEXT], "isbn": isbn or None, "box": box, "confidence": round(confidence, 3)})
    return sorted(found, key=lambda entry: (entry["box"]["x1"], entry["box"]["y1"]))


if __name__ == "__main__":
    json.dump(entries(picture_of(sys.stdin.buffer.read()), TextReader()), sys.stdout)
