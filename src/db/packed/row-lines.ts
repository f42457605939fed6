/**
 * The rows of a page, one line of JSON each, as a text or as bytes. Bytes are ready for encryption and stay outside of
 * the engine's heap, which moves large texts around. Only lines that are looked at become texts.
 */
export type RowLines = string | Uint8Array<ArrayBuffer>

/** Keys and rows of a page in one buffer, because each encryption has a fixed cost. The keys are the first line. */
export type JoinedLines = { joined: Uint8Array<ArrayBuffer>; rows: Uint8Array<ArrayBuffer> }

const lineBreak = 10
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * A work buffer for encoding texts, whose length in bytes is only known afterwards. A page is copied out of it, and the
 * buffer is cleared.
 */
let desk = new Uint8Array(1 << 18)

/** @param keys without a line break */
export function joinLines(keys: string, rows: string): JoinedLines {
  const mostBytes = 3 * (keys.length + rows.length) + 1
  if (desk.length < mostBytes) desk = new Uint8Array(mostBytes)
  const start = encoder.encodeInto(keys, desk).written + 1
  desk[start - 1] = lineBreak
  const end = start + encoder.encodeInto(rows, desk.subarray(start)).written
  const joined = desk.slice(0, end)
  desk.fill(0, 0, end)
  return { joined, rows: joined.subarray(start) }
}

export function cutLines(joined: Uint8Array<ArrayBuffer>): { keys: string; rows: RowLines } {
  const end = joined.indexOf(lineBreak)
  return { keys: decoder.decode(joined.subarray(0, end)), rows: joined.subarray(end + 1) }
}

export function textOf(rows: RowLines): string {
  return typeof rows === 'string' ? rows : decoder.decode(rows)
}

/** The start of each of `count` lines, and the start of a line after them. */
export function startsOf(rows: RowLines, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1)
  for (let line = 1; line < count; line++) starts[line] = breakAfter(rows, starts[line - 1]!) + 1
  starts[count] = rows.length + 1
  return starts
}

function breakAfter(rows: RowLines, from: number): number {
  return typeof rows === 'string' ? rows.indexOf('\n', from) : rows.indexOf(lineBreak, from)
}

export function lineAt(rows: RowLines, starts: Uint32Array, line: number): string {
  const start = starts[line]!
  const end = starts[line + 1]! - 1
  return typeof rows === 'string' ? rows.slice(start, end) : decoder.decode(rows.subarray(start, end))
}
