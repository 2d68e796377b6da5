"""The page's files: those packaged with mineproof and no others, whatever an address says."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from mineproof.errors import quoted
from mineproof.surfaces.web.faults import Refused

__all__ = ["PAGE", "StaticFiles"]

PAGE = "index.html"
_FOLDER = Path(__file__).parent / "static"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED = {".png", ".woff2"}
_LEAST_ZIPPED = 1024


@dataclass(frozen=True)
class _File:
    """A file as it was when it was read last."""

    state: tuple[int, int]
    kind: str
    data: bytes
    zipped: bytes | None
    tag: str


class StaticFiles:
    """Serves files by a list made from the folder; a name that is not on it is not found."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._folder = folder
        self._names = self._listed()
        self._read: dict[str, _File] = {}

    def _listed(self) -> dict[str, Path]:
        return {
            path.relative_to(self._folder).as_posix(): path
            for path in sorted(self._folder.rglob("*"))
            if path.suffix in _KINDS and path.is_file() and not path.is_symlink()
        }

    def answer(self, name: str, request: Request) -> Response:
        """The file of a name, or that it has not changed. Raises Refused."""
        if name not in self._names:
            # Developers of the page add files while the server runs.
            self._names = self._listed()
        if name not in self._names:
            raise Refused("not-found", f"there is no file {quoted(name)}")
        file = self._file(name)
        headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        data = file.data
        if file.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            data = file.zipped
            headers["Content-Encoding"] = "gzip"
        return Response(data, headers=headers, media_type=file.kind)

    def _file(self, name: str) -> _File:
        path = self._names[name]
        try:
            status = path.stat()
            state = (status.st_mtime_ns, status.st_size)
            known = self._read.get(name)
            if known is not None and known.state == state:
                return known
            data = path.read_bytes()
        except OSError:
            raise Refused("not-found", f"there is no file {quoted(name)}") from None
        worth = len(data) > _LEAST_ZIPPED and path.suffix not in _PACKED
        self._read[name] = _File(
            state,
            _KINDS[path.suffix],
            data,
            gzip.compress(data, 9, mtime=0) if worth else None,
            f'"{hashlib.sha256(data).hexdigest()[:20]}"',
        )
        return self._read[name]
