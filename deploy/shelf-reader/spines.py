"""Groups lines of text into book spines."""

import cv2
import numpy as np

# Maximum distance between parallel lines on one spine, in line heights, and maximum strength of an edge between them (0-255). For lines at
# most TOUCHING line heights apart, another maximum applies: their letters form edges, too.
MOST_DISTANCE, MOST_EDGE, TOUCHING, MOST_EDGE_TOUCHING = 2.2, 9.5, 1.1, 46.0
# Maximum gap between consecutive texts on one line: in line heights for level text, because the next text may be on the neighboring book,
# and in line lengths for upright text.
MOST_LEVEL_GAP, MOST_UPRIGHT_GAP = 6.0, 2.5
X, Y = np.eye(2)


class Line:
    """A line of text. Its four corners are in pixels, clockwise from the start of the text."""

    def __init__(self, text: str, confidence: float, corners: np.ndarray) -> None:
        self.text, self.confidence, self.corners, self.center = text, confidence, corners, corners.mean(axis=0)
        along, down = (corners[1] + corners[2] - corners[0] - corners[3]) / 2, (corners[2] + corners[3] - corners[0] - corners[1]) / 2
        self.length, self.height = max(1.0, float(np.linalg.norm(along))), max(1.0, float(np.linalg.norm(down)))
        self.along, self.down = along / self.length, np.array([-along[1], along[0]]) / self.length
        self.is_upright = abs(along[1]) > abs(along[0])

    def span(self, axis: np.ndarray) -> tuple[float, float]:
        return float((self.corners @ axis).min()), float((self.corners @ axis).max())

    def overlap(self, other: "Line", axis: np.ndarray) -> float:
        """The overlap of both lines along an axis, as a fraction of the shorter one; negative for a gap."""
        (start, end), (first, last) = self.span(axis), other.span(axis)
        return (min(end, last) - max(start, first)) / max(1.0, min(end - start, last - first))


def spines(lines: list[Line], picture: np.ndarray) -> list[list[Line]]:
    """The lines of each spine, in reading order."""
    found: list[list[Line]] = []
    for line in lines:
        mine = [spine for spine in found if any(_are_together(line, other, lines, picture) for other in spine)]
        found = [spine for spine in found if spine not in mine] + [[line, *(other for spine in mine for other in spine)]]
    return [_ordered(spine) for spine in found]


def _are_together(one: Line, other: Line, lines: list[Line], picture: np.ndarray) -> bool:
    if one.is_upright != other.is_upright:
        return _is_across(*((one, other) if one.is_upright else (other, one)))
    step, tallest = other.center - one.center, max(one.height, other.height)
    if abs(float(one.along @ other.along)) < 0.94:
        return False
    if not one.is_upright and _are_stacked(one, other, step, tallest, picture):
        return True
    if one.overlap(other, one.along) >= 0.2:
        side = one.down * np.sign(step @ one.down)
        distance, places = float(step @ side), sorted([*one.span(one.along), *other.span(one.along)])[1:3]
        if distance > MOST_DISTANCE * tallest:
            return False
        middle = one.center + one.along * (sum(places) / 2 - one.center @ one.along) + side * (distance + 0.3 * (one.height - other.height)) / 2
        edge = _edge(picture, middle, one.along, places[1] - places[0] + tallest, distance - 0.3 * (one.height + other.height))
        is_touching = distance <= TOUCHING * (one.height + other.height) / 2
        return edge <= (MOST_EDGE_TOUCHING if is_touching else MOST_EDGE)
    return _follows(one, other, step, lines, picture)


def _are_stacked(one: Line, other: Line, step: np.ndarray, tallest: float, picture: np.ndarray) -> bool:
    """Whether short level lines are stacked, as on a thick upright book's spine. Between books that lie flat, the edge is longer than the lines."""
    is_short = max(one.length / one.height, other.length / other.height) <= 9
    is_centered = one.overlap(other, X) >= 0.6 and abs(step[0]) <= 0.6 * min(one.length, other.length)
    gap = abs(step[1]) - (one.height + other.height) / 2
    if not (is_short and is_centered and tallest <= 2.5 * min(one.height, other.height) and gap <= 3.2 * tallest):
        return False
    middle = one.center + step * (1 + (one.height - other.height) / max(1.0, 2 * abs(step[1]))) / 2
    return _edge(picture, middle, one.along, 3 * max(one.length, other.length), gap) <= MOST_EDGE_TOUCHING


def _is_across(upright: Line, level: Line) -> bool:
    """Whether a short level line is at the head or foot of upright text."""
    step = level.center - upright.center
    gap = abs(step @ upright.along) - (upright.length + level.height) / 2
    is_in_line = abs(step @ upright.down) <= 0.6 * max(upright.height, level.length / 2) and level.length <= 4.5 * upright.height
    return bool(is_in_line and -0.5 * level.height <= gap <= max(4 * upright.height, 0.4 * upright.length))


def _follows(one: Line, other: Line, step: np.ndarray, lines: list[Line], picture: np.ndarray) -> bool:
    """Whether one line continues the other in the same direction."""
    axis = one.along * one.length + other.along * other.length * np.sign(one.along @ other.along)
    axis *= np.sign(axis @ step) / np.linalg.norm(axis)
    gap = float(step @ axis) - (one.length + other.length) / 2
    if np.linalg.norm(step - axis * (step @ axis)) > 0.6 * max(one.height, other.height):
        return False
    if not one.is_upright and any(_is_across(line, level) for line in lines if line.is_upright for level in (one, other)):
        return False  # The line belongs to an upright book, and the text that follows to the next one.
    if one.is_upright:
        return gap <= MOST_UPRIGHT_GAP * (one.length + other.length) / 2 and _are_on_one_shelf(one, other, lines)
    middle, least = one.center + axis * (one.length + gap) / 2, min(one.height, other.height)
    return gap <= MOST_LEVEL_GAP * least and (gap < 4 or _edge(picture, middle, one.down, least, gap) <= MOST_EDGE)


def _are_on_one_shelf(one: Line, other: Line, lines: list[Line]) -> bool:
    """Whether there is upright text at every height between them; there is none on the board between two shelves."""
    (_, reached), (wanted, _) = sorted((one.span(Y), other.span(Y)))
    slack = 3 * min(one.height, other.height)
    for start, end in sorted(line.span(Y) for line in lines if line.is_upright):
        reached = max(reached, end) if start <= reached + slack else reached
    return reached >= wanted - slack


def _edge(picture: np.ndarray, middle: np.ndarray, along: np.ndarray, length: float, width: float) -> float:
    """The strongest color edge (0-255) along most of a strip, such as a book's border."""
    size, across = (max(int(length), 8), max(int(width), 6) + 3), np.array([-along[1], along[0]])
    start = middle - along * size[0] / 2 - across * size[1] / 2
    source = np.array([start, start + along * size[0], start + across * size[1]], dtype=np.float32)
    target = np.array([[0, 0], [size[0], 0], [0, size[1]]], dtype=np.float32)
    strip = cv2.GaussianBlur(cv2.warpAffine(picture, cv2.getAffineTransform(source, target), size).astype(np.float32), (0, 0), 1)
    steps = np.abs(strip[3:] - strip[:-3]).max(axis=2)
    # Books lean, so the search for an edge uses short pieces of the strip.
    return float(np.percentile([np.percentile(steps[:, x : x + 40], 25, axis=1).max() for x in range(0, max(1, size[0] - 20), 40)], 35))


def _ordered(spine: list[Line]) -> list[Line]:
    """The lines in reading order: along the spine, with parallel lines from first to last."""
    along, down = (longest := max(spine, key=lambda line: line.length)).along, longest.down
    blocks: list[list[Line]] = []
    for line in sorted(spine, key=lambda line: line.span(along)[0]):
        is_beside = bool(blocks) and (not longest.is_upright or any(line.overlap(other, along) >= 0.2 for other in blocks[-1]))
        blocks[-1].append(line) if is_beside else blocks.append([line])
    for block in blocks:
        height = 0.7 * max(line.height for line in block)
        block.sort(key=lambda line: (round(float(line.center @ down) / height), float(line.center @ along)))
    return [line for block in blocks for line in block]
