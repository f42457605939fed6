import { HotDatabase } from '#src/db/hot/hot.ts'
import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'

/** Opens the databases of an app without rows, or the filled mirror, and keeps them open while the memory is measured. */
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
