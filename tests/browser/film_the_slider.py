"""The README's animation: γ's slider moves by keys, and the explorer follows.

    python tests/browser/film_the_slider.py

writes notebooks/images/slider.gif. It needs Chromium, Playwright and Pillow, as the pictures do.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from lab import chromium, jupyterlab, notebook, open_notebook, run_all, set_theme

if TYPE_CHECKING:  # only who films needs Pillow
    from PIL import Image

ROOT = Path(__file__).parent.parent.parent
TARGET = ROOT / "notebooks/images/slider.gif"
CELL = "from frapp_lab import explorers\n\nexplorers.Posterior()"
WIDTH, COLOURS = 760, 64
KEYS = ["ArrowLeft"] * 6 + ["ArrowRight"] * 12 + ["ArrowLeft"] * 6
"""One for each picture: γ goes from 19 down to 4, up to 100, and back."""
STEPS = 6
"""Steps of the slider between two pictures."""
MILLISECONDS = 120


def film() -> list[Image.Image]:
    """Pictures of the explorer while its first slider moves there and back."""
    from PIL import Image

    shots = []
    with tempfile.TemporaryDirectory() as name, jupyterlab(Path(name)) as address:
        folder = Path(name)
        notebook(folder, "film", CELL)
        set_theme(folder, "light")
        with chromium() as browser:
            page = open_notebook(browser, address, "film", width=1280, height=900)
            run_all(page)
            card = page.locator(".frapp-explorer").first
            slider = card.locator("input[type=range]").first
            slider.focus()
            # There and back: from the first move on a pale line shows what was before, and the
            # card is a line higher.
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(2000)
            for key in KEYS:
                shots.append(Image.open(io.BytesIO(card.screenshot())))
                for _ in range(STEPS):
                    page.keyboard.press(key)
                page.wait_for_timeout(500)
    return shots


def main() -> int:
    """Write the animation, all pictures with the colours of the first."""
    from PIL import Image

    shots = [shot.convert("RGB") for shot in film()]
    height = round(WIDTH * shots[0].height / shots[0].width)
    small = [shot.resize((WIDTH, height), Image.Resampling.LANCZOS) for shot in shots]
    palette = small[0].quantize(COLOURS)
    frames = [shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in small]
    times = [8 * MILLISECONDS, *[MILLISECONDS] * (len(frames) - 1)]
    frames[0].save(
        TARGET, save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True
    )
    print(f"{TARGET.relative_to(ROOT)}: {len(frames)} pictures, {TARGET.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
