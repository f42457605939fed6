import type { MirrorWriter } from '#src/db/packed/mirror-writer.ts'

/** A first load into an empty mirror as the pull makes it: one part is packed while the disk works at the one before. */
export async function loadInParts(mirror: MirrorWriter, columns: readonly string[], parts: unknown[][][], epoch: string): Promise<void> {
  await mirror.beginReplace(parts.reduce((sum, rows) => sum + rows.length, 0))
  let storing: Promise<void> = Promise.resolve()
  for (const [index, rows] of parts.entries()) {
    const before = storing
    storing = mirror.applyPage({ columns: [...columns], rows, removed: [], cursor: String(index), epoch })
    await before
  }
  await mirror.endReplace('end', epoch)
}
