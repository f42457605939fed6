import type { FrameMirror } from '#src/db/frame-mirror.ts'
import type { MirrorOptions, MirrorWriter } from '#src/db/mirror-writer.ts'
import { PackedFrameMirror } from '#src/db/packed-frame-mirror.ts'

export function openFrameMirror(options: MirrorOptions = {}): FrameMirror & MirrorWriter {
  return new PackedFrameMirror(options)
}
