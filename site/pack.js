// A pack of files: the length of an index, the index (paths with their sizes, as JSON), all bytes. A file of its own,
// since the page, its workers and the scripts of tools/site read packs.

/** Call `write(path, bytes)` for every file of a pack. */
export function unpack(pack, write) {
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  let at = 4 + view.getUint32(0, true);
  for (const [path, size] of JSON.parse(new TextDecoder().decode(pack.subarray(4, at)))) {
    write(path, pack.subarray(at, at + size));
    at += size;
  }
}
