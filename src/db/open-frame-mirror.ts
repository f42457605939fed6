import type { FrameMirror, FrameMirrorOptions, FrameMirrorWriter } from '#src/db/frame-mirror.ts'
import { PackedFrameMirror } from '#src/db/packed-frame-mirror.ts'

export function openFrameMirror(options: FrameMirrorOptions = {}): FrameMirror & FrameMirrorWriter {
  return new PackedFrameMirror(options)
}
