import type { FrameMirror } from '#src/db/mirrors/frame-mirror.ts'
import type { MirrorOptions, MirrorWriter } from '#src/db/packed/mirror-writer.ts'
import { PackedFrameMirror } from '#src/db/mirrors/packed-frame-mirror.ts'

export function openFrameMirror(options: MirrorOptions = {}): FrameMirror & MirrorWriter {
  return new PackedFrameMirror(options)
}
