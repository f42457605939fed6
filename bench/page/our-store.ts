import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'
import { loadInParts } from './mirror-parts.ts'
import { hits, type RowStore } from './row-store.ts'

export const mirrorName = 'bench-ours'
const epoch = 'bench'

/** The mirror that ships. */
export async function openOurs(name = mirrorName): Promise<RowStore & { mirror: ReturnType<typeof openFrameMirror> }> {
  const mirror = openFrameMirror({ name })
  await mirror.ready()
  return {
    mirror,
    fill: ({ columns, pages }) => loadInParts(mirror, columns, pages, epoch),
    count: async () => mirror.size(),
    get: async (serial) => mirror.find(serial),
    beginning: async (typed) => mirror.search(typed, hits),
    containing: async (part) => mirror.search(part, hits),
    close: async () => mirror.close(),
  }
}
