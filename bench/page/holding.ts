import { HotDatabase } from '#src/db/hot/hot.ts'
import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'

/** Opens what an app without rows opens, or the filled mirror, and keeps it open for someone to measure the memory. */
export async function hold(mirrorName: string, probes: string[]): Promise<number> {
  const hot = new HotDatabase('bench-hold')
  await hot.openSafely()
  const mirror = openFrameMirror({ name: mirrorName })
  await mirror.ready()
  for (const probe of probes) {
    mirror.find(probe)
    mirror.search(probe.slice(2), 20)
  }
  Object.assign(window, { held: { hot, mirror } })
  return mirror.size()
}
