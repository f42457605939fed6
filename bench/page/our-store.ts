import { openFrameMirror } from '#src/db/open-frame-mirror.ts'
import { hits, type RowStore } from './row-store.ts'

export const mirrorName = 'bench-ours'
const epoch = 'bench'

/** The mirror that ships. */
export async function openOurs(name = mirrorName): Promise<RowStore & { mirror: ReturnType<typeof openFrameMirror> }> {
  const mirror = openFrameMirror({ name })
  await mirror.ready()
  return {
    mirror,
    async fill({ columns, pages, frames }) {
      await mirror.beginReplace(frames.length)
      for (const [index, rows] of pages.entries()) await mirror.applyPage({ columns, rows, removed: [], cursor: String(index), epoch })
      await mirror.endReplace('end', epoch)
    },
    count: async () => mirror.size(),
    get: async (serial) => mirror.find(serial),
    beginning: async (typed) => mirror.search(typed, hits),
    containing: async (part) => mirror.search(part, hits),
    close: async () => mirror.close(),
  }
}
