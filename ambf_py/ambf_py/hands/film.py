# SPDX-License-Identifier: BSD-3-Clause
"""A film of a world in lockstep: a picture from the render node at even times of the world, joined by ffmpeg."""

import pathlib
import shutil
import subprocess
import tempfile
import time

from ambf_msgs.srv import SavePicture

from ..errors import AmbfError

PATIENCE = 90.0  # [s] for one picture; what takes longer hangs
ENDINGS = ('.mp4', '.mkv', '.webm', '.gif', '.apng')


def ffmpeg_arguments(pictures: list[str], rate: float, file: str) -> list[str]:
    """What joins numbered pictures, those of several cameras side by side; a GIF gets a palette of its own."""
    words = ['ffmpeg', '-y', '-loglevel', 'error']
    for pattern in pictures:
        words += ['-framerate', f'{rate:g}', '-i', pattern]
    filters = []
    if len(pictures) > 1:
        filters.append(''.join(f'[{i}]' for i in range(len(pictures))) + f'hstack=inputs={len(pictures)}')
    if file.endswith('.gif'):
        filters.append('split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none:diff_mode=rectangle')
    if filters:
        words += ['-filter_complex', ','.join(filters)]
    if file.endswith('.apng'):
        words += ['-plays', '0']
    elif not file.endswith('.gif'):
        words += ['-pix_fmt', 'yuv420p', '-crf', '20']
    return [*words, file]


class Film:
    """Takes pictures of what cameras see, which stand side by side; a context manager that writes the file at its end.

    `rate` pictures per second of the film, which goes `speed` times as fast as the world. `cameras` by their names; '' is the first one.
    """

    def __init__(
        self,
        client,
        file: str,
        size: tuple[int, int],
        rate: float = 25.0,
        speed: float = 1.0,
        cameras: tuple[str, ...] = ('',),
    ):
        self.file = pathlib.Path(file).absolute()
        if self.file.suffix not in ENDINGS:
            raise AmbfError(f"film: found '{file}', expected a name that ends in {', '.join(ENDINGS)}")
        if not self.file.parent.is_dir():
            raise AmbfError(f"film: there is no folder '{self.file.parent}'")
        if shutil.which('ffmpeg') is None:
            raise AmbfError('film: there is no program ffmpeg; on Debian and Ubuntu: apt install ffmpeg')
        self._size, self._rate, self._speed, self._cameras = size, rate, speed, cameras
        self._node = client.open_node
        self._client = self._node.create_client(SavePicture, '/render/save_picture')
        self._folder = tempfile.TemporaryDirectory()
        self.count, self._begun = 0, None

    def __enter__(self):
        if not self._client.wait_for_service(PATIENCE):
            raise AmbfError('film: nobody draws this world: start it with render:=true')
        return self

    def __exit__(self, kind, *_):
        with self._folder:
            if self.count and kind in (None, KeyboardInterrupt, StopIteration):
                self._join()
        self._node.destroy_client(self._client)

    def seconds(self) -> float:
        """Of the world, so far."""
        return self.count * self._speed / self._rate

    def look(self, step: int, world_time: float):
        """A picture of this step, if one is due."""
        self._begun = world_time if self._begun is None else self._begun
        if world_time - self._begun < self.seconds() - 1e-6:
            return
        for index, camera in enumerate(self._cameras):
            self._take(camera, str(pathlib.Path(self._folder.name) / f'{self.count:06d}_{index}.png'), step)
        self.count += 1

    def _take(self, camera: str, name: str, step: int):
        request = SavePicture.Request(camera=camera, file=name, width=self._size[0], height=self._size[1])
        end = time.monotonic() + PATIENCE
        while True:
            future = self._client.call_async(request)
            while not future.done() and time.monotonic() < end:
                time.sleep(0.002)
            # The newest state is on its way to the renderer: an older picture is taken again.
            if future.done() and future.result().ok and future.result().step >= step:
                return
            if time.monotonic() > end:
                words = future.result().message if future.done() else 'no answer'
                raise AmbfError(f'film: no picture of step {step} within {PATIENCE:g} s: {words}')

    def _join(self):
        folder = pathlib.Path(self._folder.name)
        pictures = [str(folder / f'%06d_{index}.png') for index in range(len(self._cameras))]
        done = subprocess.run(ffmpeg_arguments(pictures, self._rate, str(self.file)), capture_output=True, text=True)
        if done.returncode:
            raise AmbfError(f'film: ffmpeg cannot write {self.file}: {done.stderr.strip()}')
        print(f'film of {self.seconds():.1f} s of the world: {self.file}', flush=True)
